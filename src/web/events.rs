//! Server-sent events: whoever watches something hears of every change.

use std::time::Duration;

use hyper::body::Bytes;
use tokio::sync::{mpsc, watch};

/// Tells watchers that something has changed. It may be told from any thread, and waits for nobody: who is slow hears of
/// several changes at once.
#[derive(Debug)]
pub struct Bell(watch::Sender<u64>);

impl Default for Bell {
    fn default() -> Bell {
        Bell(watch::Sender::new(0))
    }
}

impl Bell {
    /// Something has changed.
    pub fn ring(&self) {
        self.0.send_modify(|revision| *revision += 1);
    }

    /// How often it has rung.
    pub fn revision(&self) -> u64 {
        *self.0.borrow()
    }

    /// How many listen.
    pub fn listeners(&self) -> usize {
        self.0.receiver_count()
    }

    /// A stream of what `tell` says now and after each change, but not more often than every `pause`; it ends when `tell` has
    /// nothing more to say. Between changes a comment is sent now and then, so that a connection that is gone is noticed.
    pub fn stream(
        &self,
        pause: Duration,
        tell: impl Fn() -> Option<String> + Send + 'static,
    ) -> mpsc::Receiver<Bytes> {
        let mut bell = self.0.subscribe();
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(async move {
            loop {
                bell.mark_unchanged();
                let Some(data) = tell() else { return };
                // JSON has no line ends of its own, so that one line is all.
                if sender.send(Bytes::from(format!("data: {data}\n\n"))).await.is_err() {
                    return;
                }
                tokio::time::sleep(pause).await;
                loop {
                    match tokio::time::timeout(KEEP_ALIVE, bell.changed()).await {
                        Ok(Ok(())) => break,
                        Ok(Err(_)) => return,
                        Err(_) => {
                            if sender.send(Bytes::from_static(b": still here\n\n")).await.is_err() {
                                return;
                            }
                        }
                    }
                }
            }
        });
        receiver
    }
}

const KEEP_ALIVE: Duration = Duration::from_secs(15);
