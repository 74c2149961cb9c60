use super::{candidates, is_shell_word, word_start};

#[test]
fn words_are_completed_in_the_case_they_are_typed_in() {
    let names = vec!["db.orders".to_owned(), "select_list".to_owned()];
    let texts = |word: &str| candidates(word, &names).into_iter().map(|pair| pair.replacement).collect::<Vec<_>>();
    assert_eq!(texts("sel"), ["select_list", "select"]);
    assert_eq!(texts("SEL"), ["select_list", "SELECT"]);
    assert_eq!(texts("db.o"), ["db.orders"]);
    assert!(texts("").is_empty());
    assert!(texts("größe").is_empty());
}

#[test]
fn the_word_under_the_cursor_is_found() {
    assert_eq!(word_start("select * from db.or", 19), 14);
    assert_eq!(word_start("sel", 3), 0);
    assert_eq!(word_start("ä,b", 4), 3);
    assert_eq!(word_start("a(", 2), 2);
}

#[test]
fn the_shell_has_words_of_its_own() {
    assert!(is_shell_word("EXIT") && is_shell_word("\\timing"));
    assert!(!is_shell_word("select 1"));
}
