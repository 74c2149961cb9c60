//! The rules every store has to keep, as one runnable suite.

use bytes::Bytes;
use futures::future::join_all;

use crate::{Error, ErrorKind, FileIo, Result};

/// Runs every rule of [`Store`](crate::Store) against an empty directory, which it leaves empty.
///
/// # Errors
/// The store's own error, or `Internal` naming the rule that does not hold.
pub async fn store_conformance(io: &FileIo) -> Result<()> {
    rule(io.list_recursive("").await?.is_empty(), "the suite needs an empty directory")?;
    reads_give_back_what_was_written(io).await?;
    missing_files_are_not_found(io).await?;
    ranges_are_exact(io).await?;
    groups_of_files_are_written(io).await?;
    creating_never_overwrites(io).await?;
    of_many_creators_one_wins(io).await?;
    overwriting_replaces(io).await?;
    streams_become_files(io).await?;
    listings_show_files_and_directories(io).await?;
    names_are_kept_as_they_are(io).await?;
    children_see_their_part(io).await?;
    wrong_paths_are_refused(io).await?;
    deleting_is_quiet_and_complete(io).await
}

fn rule(holds: bool, what: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::new(ErrorKind::Internal, format!("the store breaks a rule: {what}"))) }
}

fn fails<T>(outcome: Result<T>, kind: ErrorKind, what: &str) -> Result<()> {
    match outcome {
        Err(error) if error.kind() == kind => rule(error.context("path").is_some(), "errors carry the path"),
        Err(error) => Err(error.with("expected", kind).with("rule", what)),
        Ok(_) => rule(false, what),
    }
}

async fn reads_give_back_what_was_written(io: &FileIo) -> Result<()> {
    for (path, content) in [("a", ""), ("b/c", "text"), ("b/d/e/f", "deep")] {
        io.write_durable(path, content.into()).await?;
        rule(io.read(path).await? == content, "a file reads back as it was written")?;
        let status = io.status(path).await?;
        rule(status.size == content.len() as u64 && status.path == path, "status tells path and size")?;
        rule(status.modified_millis > 0, "status tells the time")?;
        rule(io.exists(path).await?, "a written file exists")?;
    }
    Ok(())
}

async fn missing_files_are_not_found(io: &FileIo) -> Result<()> {
    fails(io.read("none").await, ErrorKind::NotFound, "reading a missing file")?;
    fails(io.read_range("none/deep", 0..1).await, ErrorKind::NotFound, "reading a range of a missing file")?;
    fails(io.status("none").await, ErrorKind::NotFound, "status of a missing file")?;
    fails(io.status("b").await, ErrorKind::NotFound, "a directory is not a file")?;
    rule(!io.exists("none").await? && !io.exists("b").await?, "missing files and directories do not exist as files")?;
    rule(io.list("none").await?.is_empty(), "a missing directory lists empty")?;
    rule(io.list_dirs("none").await?.is_empty(), "a missing directory has no directories")
}

async fn ranges_are_exact(io: &FileIo) -> Result<()> {
    let content: Vec<u8> = (0..200_000_u32).map(|i| i.to_le_bytes()[0] ^ i.to_le_bytes()[1]).collect();
    io.write_durable("ranges", content.clone().into()).await?;
    let part = |range: std::ops::Range<usize>| content.get(range).unwrap_or_default().to_vec();
    rule(io.read_range("ranges", 10..20).await? == part(10..20), "a range reads its bytes")?;
    rule(io.read_range("ranges", 5..5).await?.is_empty(), "an empty range is empty")?;
    let wanted = [100_000..100_010_u64, 0..4, 7..7, 2..3, 199_999..200_000];
    let parts = io.read_ranges("ranges", &wanted).await?;
    let expected = [part(100_000..100_010), part(0..4), Vec::new(), part(2..3), part(199_999..200_000)];
    rule(parts == expected, "ranges come in the order asked for")?;
    rule(io.read_ranges("ranges", &[]).await?.is_empty(), "no ranges, no parts")?;
    fails(io.read_range("ranges", 199_990..200_001).await, ErrorKind::Corrupt, "a range past the end")?;
    fails(io.read_ranges("ranges", &[0..1, 300_000..300_001]).await, ErrorKind::Corrupt, "one of several past the end")
}

async fn creating_never_overwrites(io: &FileIo) -> Result<()> {
    rule(io.supports_create_new(), "create_new works")?;
    io.create_new("new/one", "first".into()).await?;
    fails(io.create_new("new/one", "second".into()).await, ErrorKind::Exists, "creating what is there")?;
    rule(io.read("new/one").await? == "first", "the first content stays")?;
    io.delete("new/one").await?;
    io.create_new("new/one", "third".into()).await?;
    rule(io.read("new/one").await? == "third", "a deleted name is free again")
}

async fn of_many_creators_one_wins(io: &FileIo) -> Result<()> {
    for round in 0..3 {
        let path = format!("race/{round}");
        let creators = (0..12).map(|i| io.create_new(&path, format!("creator {i}").into()));
        let outcomes = join_all(creators).await;
        let winners: Vec<usize> = outcomes.iter().enumerate().filter(|(_, o)| o.is_ok()).map(|(i, _)| i).collect();
        let losers = outcomes.iter().filter_map(|o| o.as_ref().err()).all(|e| e.kind() == ErrorKind::Exists);
        rule(winners.len() == 1 && losers, "of many creators one wins, the others are told Exists")?;
        let expected = winners.first().map(|i| format!("creator {i}")).unwrap_or_default();
        rule(io.read(&path).await? == expected, "the winner's content is there")?;
    }
    Ok(())
}

async fn overwriting_replaces(io: &FileIo) -> Result<()> {
    for content in ["1", "22222", "3"] {
        io.overwrite("hint/LATEST", content.into()).await?;
        rule(io.read("hint/LATEST").await? == content, "overwrite replaces the whole content")?;
    }
    Ok(())
}

async fn streams_become_files(io: &FileIo) -> Result<()> {
    let chunk = Bytes::from((0..=255_u8).cycle().take(700_001).collect::<Vec<u8>>());
    let mut writer = io.create("stream/large").await?;
    for _ in 0..30 {
        writer.write(chunk.clone()).await?;
    }
    let size = writer.close().await?;
    rule(size == 30 * 700_001, "close tells the size")?;
    rule(io.status("stream/large").await?.size == size, "the file has that size")?;
    let at = 29 * 700_001;
    rule(io.read_range("stream/large", at..size).await? == chunk, "the last chunk is in place")?;

    let empty = io.create("stream/empty").await?;
    rule(empty.close().await? == 0 && io.read("stream/empty").await?.is_empty(), "an empty stream is an empty file")?;

    let mut given_up = io.create("stream/given-up").await?;
    given_up.write(chunk.clone()).await?;
    given_up.abort().await?;
    rule(!io.exists("stream/given-up").await?, "an aborted stream leaves no file")
}

async fn listings_show_files_and_directories(io: &FileIo) -> Result<()> {
    for path in ["list/b", "list/a", "list/dir/c", "list/dir/deeper/d", "list2/x"] {
        io.write_durable(path, "12".into()).await?;
    }
    let paths = |files: Vec<crate::FileStatus>| files.into_iter().map(|file| file.path).collect::<Vec<_>>();
    rule(paths(io.list("list").await?) == ["list/a", "list/b"], "list shows files directly below, sorted")?;
    let all = ["list/a", "list/b", "list/dir/c", "list/dir/deeper/d"];
    rule(paths(io.list_recursive("list").await?) == all, "list_recursive shows all, sorted, and no sibling's files")?;
    rule(io.list_dirs("list").await? == ["dir"], "list_dirs shows directories directly below")?;
    rule(io.list("list").await?.iter().all(|file| file.size == 2), "listings tell sizes")?;
    rule(io.list_dirs("").await?.contains(&"list2".to_owned()), "the root is a directory")
}

async fn names_are_kept_as_they_are(io: &FileIo) -> Result<()> {
    for name in ["k=a b", "k=50%25", "k=%3A", "dt=2024-01-01", "größe=ß", "k=+&#?", "_hidden", ".dot"] {
        let path = format!("names/{name}/file {name}");
        io.write_durable(&path, name.to_owned().into()).await?;
        rule(io.read(&path).await? == name, "unusual names read back")?;
        rule(
            io.list_dirs("names").await?.contains(&name.to_owned()),
            "unusual directory names are listed as they are",
        )?;
        let listed = io.list(&format!("names/{name}")).await?;
        rule(listed.len() == 1 && listed.iter().all(|f| f.path == path), "unusual file names are listed as they are")?;
    }
    Ok(())
}

async fn children_see_their_part(io: &FileIo) -> Result<()> {
    let child = io.child("db.db").child("t");
    child.write_durable("schema/schema-0", "{}".into()).await?;
    rule(io.read("db.db/t/schema/schema-0").await? == "{}", "a child writes below its directory")?;
    let listed = child.list("schema").await?;
    rule(listed.iter().all(|f| f.path == "schema/schema-0") && listed.len() == 1, "a child's paths are its own")?;
    rule(child.location() == io.full_path("db.db/t"), "a child knows where it is")
}

async fn wrong_paths_are_refused(io: &FileIo) -> Result<()> {
    for path in ["", "/abs", "a//b", "../up", "a/../b", "a/", "./a"] {
        fails(io.read(path).await, ErrorKind::InvalidInput, "paths are relative and plain")?;
        fails(io.write_durable(path, "x".into()).await, ErrorKind::InvalidInput, "paths are relative and plain")?;
    }
    let backwards = std::ops::Range { start: 2, end: 1 };
    fails(io.read_range("ranges", backwards).await, ErrorKind::InvalidInput, "ranges go forward")
}

async fn groups_of_files_are_written(io: &FileIo) -> Result<()> {
    let file = |at: usize| (format!("group/{}/f{at}", at % 3), Bytes::from(vec![b'x'; at]));
    io.write_all_durable((0..20).map(file).collect()).await?;
    for at in 0..20 {
        let (path, content) = file(at);
        rule(io.read(&path).await? == content, "every file of a group is written whole")?;
    }
    io.write_all_durable(Vec::new()).await?;
    io.delete_dir("group").await
}

async fn renaming_moves_all_files_or_none(io: &FileIo) -> Result<()> {
    io.write_durable("rename/in/file", Bytes::from_static(b"1")).await?;
    io.write_durable("occupied/file", Bytes::from_static(b"2")).await?;
    match io.rename_dir("rename", "renamed").await {
        Err(error) if error.kind() == ErrorKind::Unsupported => {
            return rule(io.exists("rename/in/file").await?, "a refused rename moves nothing");
        }
        other => other?,
    }
    rule(io.read("renamed/in/file").await? == "1", "a renamed directory has its files")?;
    rule(!io.exists("rename/in/file").await?, "the old name is gone")?;
    let taken = io.rename_dir("renamed", "occupied").await;
    rule(taken.is_err_and(|e| e.kind() == ErrorKind::Exists), "a name that is taken is refused")?;
    rule(io.read("occupied/file").await? == "2" && io.exists("renamed/in/file").await?, "and nothing has moved")?;
    let missing = io.rename_dir("none", "other").await;
    rule(missing.is_err_and(|e| e.kind() == ErrorKind::NotFound), "a missing directory cannot be renamed")
}

async fn deleting_is_quiet_and_complete(io: &FileIo) -> Result<()> {
    io.delete("a").await?;
    io.delete("a").await?;
    io.delete("none/none").await?;
    rule(!io.exists("a").await?, "a deleted file is gone")?;
    io.delete_dir("list").await?;
    io.delete_dir("list").await?;
    rule(io.list_recursive("list").await?.is_empty(), "a deleted directory is gone")?;
    rule(io.exists("list2/x").await?, "its neighbour is not")?;
    io.create_dir("made/here").await?;
    rule(io.list("made/here").await?.is_empty(), "a made directory is empty")?;
    renaming_moves_all_files_or_none(io).await?;
    for dir in io.list_dirs("").await? {
        io.delete_dir(&dir).await?;
    }
    for file in io.list("").await? {
        io.delete(&file.path).await?;
    }
    rule(io.list_recursive("").await?.is_empty(), "everything can be removed")
}
