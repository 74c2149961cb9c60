//! Streams that are computed by tasks of their own.

use futures::StreamExt;
use futures::stream::BoxStream;
use headwater_io::Env;

use crate::{Result, error};

/// Computes a stream in a task, up to `ahead` items before they are asked for. The task ends when the stream is dropped.
pub(crate) fn read_ahead<T: Send + 'static>(
    env: &Env,
    stream: BoxStream<'static, Result<T>>,
    ahead: usize,
) -> BoxStream<'static, Result<T>> {
    let mut stream = Some(stream);
    spawned(env, 1, ahead, move |_| stream.take().unwrap_or_else(|| futures::stream::empty().boxed()))
}

/// Joins the streams of several tasks in the order their items come. A task that fails ends the stream with its error;
/// dropping the stream ends the tasks.
pub(crate) fn spawned<T: Send + 'static>(
    env: &Env,
    tasks: usize,
    ahead: usize,
    mut stream_of: impl FnMut(usize) -> BoxStream<'static, Result<T>> + Send + 'static,
) -> BoxStream<'static, Result<T>> {
    let env = env.clone();
    // Nothing runs before the first poll.
    let mut start = move || {
        let (sender, receiver) = tokio::sync::mpsc::channel::<Result<T>>(ahead.max(1));
        let handles: Vec<_> = (0..tasks)
            .map(|number| {
                let mut stream = stream_of(number);
                let sender = sender.clone();
                env.spawn(async move {
                    while let Some(item) = stream.next().await {
                        let failed = item.is_err();
                        if sender.send(item).await.is_err() || failed {
                            break;
                        }
                    }
                })
            })
            .collect();
        Running { receiver, handles, failed: false }
    };
    futures::stream::once(async move { start() })
        .flat_map(|running| {
            futures::stream::unfold(running, |mut running| async move {
                if running.failed {
                    return None;
                }
                if let Some(item) = running.receiver.recv().await {
                    running.failed = item.is_err();
                    return Some((item, running));
                }
                // All senders are gone: tell a panic from an end.
                for handle in std::mem::take(&mut running.handles) {
                    if let Err(error) = handle.await {
                        running.failed = true;
                        return Some((Err(error::task(error)), running));
                    }
                }
                None
            })
        })
        .boxed()
}

struct Running<T> {
    receiver: tokio::sync::mpsc::Receiver<T>,
    handles: Vec<tokio::task::JoinHandle<()>>,
    failed: bool,
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        for handle in &self.handles {
            handle.abort();
        }
    }
}
