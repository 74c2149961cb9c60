use headwater_types::{DataField, DataType, Datum, TypeKind};

use super::parse;

fn fields() -> Vec<DataField> {
    let of = |kind| DataType::new(kind, true);
    vec![
        DataField::new(0, "id", of(TypeKind::BigInt)),
        DataField::new(1, "name", of(TypeKind::STRING)),
        DataField::new(2, "Day", of(TypeKind::Date)),
    ]
}

/// Which of five rows (id, name, Day as days) a filter keeps; `?` is unknown.
fn check(filter: &str, expected: &str) {
    let rows =
        [(Some(1), Some("ab")), (Some(2), Some("abc")), (Some(3), Some("xbc")), (Some(4), None), (None, Some("it's"))];
    let predicate = parse(filter, &fields()).unwrap();
    let kept: String = rows
        .iter()
        .map(|(id, name)| {
            let value = |column: &str| match column {
                "id" => id.map(Datum::BigInt),
                "name" => name.map(|text| Datum::String(text.to_owned())),
                _ => Some(Datum::Date(19_782)),
            };
            match predicate.test_row(&value) {
                Some(true) => '1',
                Some(false) => '0',
                None => '?',
            }
        })
        .collect();
    assert_eq!(kept, expected, "{filter}");
}

#[test]
fn filters_keep_what_sql_keeps() {
    check("id = 2", "0100?");
    check("id <> 2 and name is not null", "1010?");
    check("ID >= 2 AND (name = 'abc' OR name IS NULL)", "01010");
    check("not (id < 2 or id > 3)", "0110?");
    check("id between 2 and 3", "0110?");
    check("id not between 2 and 3", "1001?");
    check("name in ('ab', 'it''s')", "100?1");
    check("id not in (1, 2)", "0011?");
    check("name like 'ab%'", "110?0");
    check("name like '%bc'", "011?0");
    check("\"name\" like '%b%'", "111?0");
    check("Day = DATE '2024-02-29'", "11111");
    check("day > '2024-02-28' and true", "11111");
    check("id = null", "00000");
    check("id in (-1, +4)", "0001?");
}

#[test]
fn mistakes_are_named() {
    let fails = |filter: &str, says: &str| {
        let error = parse(filter, &fields()).unwrap_err();
        assert!(error.to_string().contains(says), "{filter}: {error}");
    };
    fails("nme = 1", "no column 'nme'; the table has id, name, Day");
    fails("id = 'x'", "column=id");
    fails("id =", "a literal");
    fails("id = 1 id = 2", "AND, OR or the end");
    fails("name like 'a_c'", "headwater sql");
    fails("name = 'open", "no closing '");
    fails("id ~ 1", "cannot be read from '~ 1'");
    fails(&"(".repeat(10_000), "nested too deeply");
}
