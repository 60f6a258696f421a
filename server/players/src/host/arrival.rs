//! Arriving messages: limits on their size before they are read, for each one and for all together.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::StatusCode;
use hyper::body::{Body, Incoming};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::locked;
use crate::wire::{Limits, may_be_long};

/// The unit of the common limit, in bytes.
const UNIT: usize = 1 << 10;
/// The part of every message that is not counted, so that small ones always have room.
const FREE: usize = 16 << 10;
/// The time for which the rest of a refused message is read and discarded, so that its sender reads the refusal.
const REST: Duration = Duration::from_millis(500);

/// Room for all messages that have arrived in part.
pub(super) struct Room {
    left: Arc<Semaphore>,
    limits: Limits,
}

/// A message that has arrived, and the room that it takes.
pub(super) struct Message {
    pub text: String,
    _taken: Option<OwnedSemaphorePermit>,
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message { text, _taken: None }
    }
}

/// The reason why a message is refused.
pub(super) type Refusal = (StatusCode, String);

impl Room {
    pub(super) fn new(limits: Limits) -> Room {
        Room { left: Arc::new(Semaphore::new(limits.together / UNIT)), limits }
    }

    /// Receives the message of a request.
    pub(super) async fn receive(&self, mut body: Incoming) -> Result<Message, Refusal> {
        let received = timeout(self.limits.arrival, self.collect(&mut body)).await;
        let late = || Err((StatusCode::REQUEST_TIMEOUT, "the message did not arrive in time".into()));
        let received = received.unwrap_or_else(|_| late());
        if matches!(received, Err((StatusCode::PAYLOAD_TOO_LARGE | StatusCode::SERVICE_UNAVAILABLE, _))) {
            let _ = timeout(REST, forget(&mut body, 4 * self.limits.request)).await;
        }
        received
    }

    async fn collect(&self, body: &mut Incoming) -> Result<Message, Refusal> {
        let too_long =
            |what: &str, most: usize| (StatusCode::PAYLOAD_TOO_LARGE, format!("{what} has at most {most} bytes"));
        // A message announced as too long is refused at once.
        let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        if announced > self.limits.request {
            return Err(too_long("a message", self.limits.request));
        }
        let mut bytes = Vec::new();
        let mut taken: Option<OwnedSemaphorePermit> = None;
        while let Some(frame) = body.frame().await {
            let broken = |_| (StatusCode::BAD_REQUEST, "the message arrived incomplete".into());
            let Ok(data) = frame.map_err(broken)?.into_data() else { continue };
            if bytes.len() + data.len() > self.limits.request {
                return Err(too_long("a message", self.limits.request));
            }
            self.take((bytes.len() + data.len()).saturating_sub(FREE), &mut taken)?;
            bytes.extend_from_slice(&data);
            let length = announced.max(bytes.len());
            let is_small = || match may_be_long(&bytes) {
                Some(may) => !may,
                // It contains only comments so far.
                None => bytes.len() > self.limits.small,
            };
            if length > self.limits.small && is_small() {
                return Err(too_long("a message without a description", self.limits.small));
            }
        }
        let text = String::from_utf8(bytes).map_err(|_| (StatusCode::BAD_REQUEST, "the message is not text".into()))?;
        Ok(Message { text, _taken: taken })
    }

    /// Takes room for `bytes` bytes.
    fn take(&self, bytes: usize, taken: &mut Option<OwnedSemaphorePermit>) -> Result<(), Refusal> {
        let has = taken.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = bytes.div_ceil(UNIT).saturating_sub(has);
        if more == 0 {
            return Ok(());
        }
        let full =
            |_| (StatusCode::SERVICE_UNAVAILABLE, "too many long messages arrive at once; try again".to_string());
        let more = self.left.clone().try_acquire_many_owned(more as u32).map_err(full)?;
        match taken {
            Some(taken) => taken.merge(more),
            None => *taken = Some(more),
        }
        Ok(())
    }
}

async fn forget(body: &mut Incoming, most: usize) {
    let mut bytes = 0;
    while let Some(Ok(frame)) = body.frame().await {
        bytes += frame.data_ref().map_or(0, |data| data.len());
        if bytes > most {
            return;
        }
    }
}

/// The connections whose messages have not arrived yet, the oldest first. If another connection has no room,
/// the oldest is dropped: silent connections never keep out a client that asks and leaves.
#[derive(Default)]
pub(super) struct Silent(Mutex<VecDeque<(u64, AbortHandle)>>);

impl Silent {
    /// Begins to serve a connection.
    pub(super) fn spawn(&self, number: u64, connection: impl Future<Output = ()> + Send + 'static) {
        // Locked, so that the connection is recorded before it can end.
        let mut silent = locked(&self.0);
        silent.push_back((number, tokio::spawn(connection).abort_handle()));
    }

    pub(super) fn remove(&self, number: u64) {
        locked(&self.0).retain(|(one, _)| *one != number);
    }

    pub(super) fn drop_oldest(&self) {
        if let Some((_, connection)) = locked(&self.0).pop_front() {
            connection.abort();
        }
    }
}
