//! Writers at the same time.

use std::collections::BTreeMap;

use headwater_table::Table;

use crate::support::{all, batch, keyed};

async fn write_share(table: Table, user: String, share: i32, rounds: i64) {
    // A handle of its own, as another process would have.
    let table = Table::open(table.io().clone(), table.env()).await.unwrap();
    let mut writer = table.stream_writer_as(&user).unwrap();
    let committer = table.committer_as(&user).unwrap();
    for round in 0..rounds {
        let rows: Vec<(i32, Option<i64>)> =
            (0..20).map(|i| ((i * 5 + i32::try_from(round).unwrap()) % 60 * 2 + share, Some(round))).collect();
        writer.write(batch(&rows)).await.unwrap();
        let messages = writer.prepare_commit(round % 3 == 2).await.unwrap();
        committer.commit(round + 1, messages, None).await.unwrap();
    }
    let messages = writer.prepare_commit(true).await.unwrap();
    committer.commit(rounds + 1, messages, None).await.unwrap();
    writer.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_writers_that_compact_one_bucket_lose_nothing() {
    let table = keyed(&[("bucket", "1"), ("commit.max-retries", "100")]).await;
    let rounds = 30;
    let tasks: Vec<_> = (0..2)
        .map(|share| table.env().spawn(write_share(table.clone(), format!("writer-{share}"), share, rounds)))
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let mut model = BTreeMap::new();
    for share in 0..2 {
        for round in 0..rounds {
            for i in 0..20 {
                model.insert((i * 5 + i32::try_from(round).unwrap()) % 60 * 2 + share, Some(round));
            }
        }
    }
    assert_eq!(all(&table).await, model);
    let files = table.scan().plan().await.unwrap().funnel.files;
    assert!(files < 30, "{files} files: compaction made no progress");
    table.compact_all(true, &[]).await.unwrap();
    assert_eq!(all(&table).await, model);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_see_whole_snapshots_while_writers_and_a_compactor_work() {
    let table = keyed(&[("bucket", "2"), ("write-only", "true"), ("commit.max-retries", "100")]).await;
    let writer = table.env().spawn(write_share(table.clone(), "w".to_owned(), 0, 20));
    let compactor = {
        let table = table.clone();
        table.env().clone().spawn(async move {
            for _ in 0..5 {
                table.compact_all(true, &[]).await.unwrap();
            }
        })
    };
    for _ in 0..20 {
        all(&table).await;
    }
    writer.await.unwrap();
    compactor.await.unwrap();
    assert_eq!(all(&table).await.len(), 60);
}
