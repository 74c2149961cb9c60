//! A store that fails leaves the table as it was.

use crate::support::{all, batch, keyed, put};
use headwater_io::{Fault, FaultKind, FaultOp, Faults};
use headwater_table::Table;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_fails_anywhere_changes_nothing_and_can_be_repeated() {
    for op in [
        FaultOp::Create,
        FaultOp::StreamWrite,
        FaultOp::StreamClose,
        FaultOp::CreateNew,
        FaultOp::WriteDurable,
        FaultOp::Overwrite,
        FaultOp::Read,
    ] {
        for nth in 1..6 {
            let table = keyed(&[("bucket", "1"), ("commit.max-retries", "0")]).await;
            put(&table, &[(1, Some(1))]).await;
            let before = all(&table).await;
            let faults = Faults::default();
            faults.add(Fault::new(op, nth, FaultKind::Before));
            let faulty = Table::open(table.io().with_faults(&faults), table.env()).await;
            let Ok(faulty) = faulty else { continue };
            let outcome = async {
                let mut writer = faulty.batch_writer()?;
                let written = async {
                    writer.write(batch(&[(2, Some(2))])).await?;
                    writer.prepare_commit(true).await
                }
                .await;
                writer.close().await?;
                faulty.commit_batch(written?).await
            }
            .await;
            match outcome {
                Ok(_) => assert_eq!(all(&table).await.len(), 2),
                Err(_) => {
                    assert_eq!(all(&table).await, before, "{op:?} number {nth}");
                    put(&table, &[(2, Some(2))]).await;
                    assert_eq!(all(&table).await.len(), 2);
                }
            }
        }
    }
}
