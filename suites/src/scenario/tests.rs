use headwater_types::{DataField, Datum, RowKind, TypeKind};

use super::create::columns;
use super::play::{Actor, Play};
use super::rows::parse;
use super::script::{Op, Script};

#[test]
fn a_file_holds_scenarios_and_prints_again() {
    let text =
        "# one\ncreate k INT NOT NULL, v ARRAY<INT> ; pk=k ; bucket=1\nw {a.b=c} +I 1,[1|2]\nread\n# two\nfull\n";
    let scripts = Script::parse("x", text).unwrap();
    assert_eq!(scripts.iter().map(Script::to_text).collect::<String>(), text);
    assert_eq!(scripts[1].steps[0].op, Op::Compact { full: true, options: [].into() });
    let Op::Create { columns, keys, options, .. } = &scripts[0].steps[0].op else { panic!("no create") };
    assert_eq!((columns.len(), keys.len(), options["bucket"].as_str()), (2, 1, "1"));
    for wrong in ["w 1,2", "# t\nfly away", "# t\nw {a} 1", "# t\ntag x seven", "# t\nw gen(1,2)<1"] {
        assert!(Script::parse("x", wrong).is_err(), "{wrong}");
    }
}

#[test]
fn rows_are_values_of_their_columns() {
    let texts = ["k INT NOT NULL", "a ARRAY<STRING>", "m MAP<STRING, INT>", "r ROW<x INT, y STRING>", "b BYTES"];
    let fields = columns(&texts.map(str::to_owned)).unwrap();
    let rows = parse(r#"-D 1,["a;b"|_],{k:3},(7/''),0x0aff ; 2,[],{},_,_"#, &fields).unwrap();
    assert_eq!(rows.iter().map(|row| row.kind).collect::<Vec<_>>(), [RowKind::Delete, RowKind::Insert]);
    assert_eq!(rows[0].values[1], Some(Datum::Array(vec![Some(Datum::String("a;b".to_owned())), None])));
    assert_eq!(rows[0].values[3], Some(Datum::Row(vec![Some(Datum::Int(7)), Some(Datum::String(String::new()))])));
    assert_eq!(rows[0].values[4], Some(Datum::Bytes(vec![0x0a, 0xff])));
    assert_eq!(rows[1].values[2..], [Some(Datum::Map(vec![])), None, None]);
    for wrong in ["1", "x,_,_,_,_", "1,[,_,_,_", "1,_,{a},_,_", "1,_,_,(1),_", "1,_,_,_,0x1"] {
        assert!(parse(wrong, &fields).is_err(), "{wrong}");
    }
}

#[test]
fn generated_rows_follow_their_formula() {
    let scripts = Script::parse("x", "# t\nw gen(1,3)<$i,${2*i+1%5}>> ; 9,_").unwrap();
    let Op::Write { rows, compact: false, .. } = &scripts[0].steps[0].op else { panic!("no write") };
    assert_eq!(rows, "1,3 ; 2,0 ; 3,2 ; 9,_");
    let fields = [DataField::new(0, "k", TypeKind::Int), DataField::new(1, "v", TypeKind::Int)];
    assert_eq!(parse(rows, &fields).unwrap().len(), 4);
}

#[test]
fn a_streaming_writer_stays_with_the_side_that_opened_it() {
    let text = "# t\ncreate k INT\nw 1\nsw 1\nsw 2\nsclose\nfull\nread\nw 3";
    let scripts = Script::parse("x", text).unwrap();
    let actors = |play: Play| -> String {
        let who = |actor| if actor == Actor::Java { 'J' } else { 'H' };
        play.actors(scripts[0].steps.iter().map(|step| &step.op)).into_iter().map(who).collect()
    };
    assert_eq!(actors(Play::Alone(Actor::Headwater)), "HHHHHHHH");
    assert_eq!(actors(Play::Turns(Actor::Java)), "JHJJJHJJ");
    assert_eq!(actors(Play::Writes(Actor::Headwater)), "HHHHHJHH");
}
