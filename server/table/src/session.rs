//! One page's line: the first message takes a seat, then knowledge goes out and wishes come in.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message as Frame, WebSocket};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{interval, timeout};

use crate::hall::{Hall, Owner};
use crate::lines::Line as Kept;
use crate::place::Place;
use crate::table::Table;
use crate::token::Token;
use crate::wire::{Message, Shown, Wish};

/// The time for the first message, and for taking a message.
const PATIENCE: Duration = Duration::from_secs(15);
/// The time for the other side to close a line that is over.
const GOODBYE: Duration = Duration::from_secs(1);
/// The time between two signs of life.
const PULSE: Duration = Duration::from_secs(20);
/// The messages that a page may send at once, and in each second.
const BURST: f64 = 20.0;
const RATE: f64 = 5.0;

/// The reason why a line ends.
enum Over {
    /// The other side is gone, or a table does not speak to it any longer.
    Gone,
    /// A message that says why.
    Because(&'static str),
}

pub(crate) async fn run(mut socket: WebSocket, hall: Arc<Hall>) {
    if let Err(Over::Because(why)) = sit(&mut socket, &hall).await {
        let _ = send(&mut socket, &Message::Refused { why }.text()).await;
        let _ = timeout(PATIENCE, socket.send(Frame::Close(None))).await;
        // A line that is closed with unread messages takes the reason with it.
        let _ = timeout(GOODBYE, async { while let Some(Ok(_)) = socket.recv().await {} }).await;
    }
}

async fn sit(socket: &mut WebSocket, hall: &Arc<Hall>) -> Result<(), Over> {
    let first = timeout(PATIENCE, receive(socket)).await.map_err(|_| Over::Gone)??;
    let Wish::Sit { token } = first else { return Err(Over::Because("The first message has to name a seat.")) };
    let found = Token::read(&token).and_then(|token| hall.find(&token));
    let (place, owner) = found.ok_or(Over::Because("This link does not belong to a seat of this table."))?;
    let (kept, mut joined) =
        place.join().ok_or(Over::Because("Too many pages show this seat: close one, and load this page again."))?;
    let (hall, place) = (hall.clone(), place.clone());
    let mut line = Line { socket, hall, place, owner, shaded: false, pace: Pace::new() };
    for shown in &kept {
        line.show(shown).await?;
    }
    if let Some(left) = line.place.left() {
        send(line.socket, &Message::Clock { left: left.as_secs_f64().ceil() }.text()).await?;
    }
    let mut pulse = interval(PULSE);
    loop {
        tokio::select! {
            shown = joined.feed.recv() => match shown {
                Ok(shown) => line.show(&shown).await?,
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return Err(Over::Gone),
            },
            wish = receive(line.socket) => line.grant(wish?).await?,
            _ = pulse.tick() => {
                let sent = timeout(PATIENCE, line.socket.send(Frame::Ping(Default::default()))).await;
                sent.ok().and_then(Result::ok).ok_or(Over::Gone)?;
            }
        }
    }
}

/// The line of a page that has a seat.
struct Line<'a> {
    socket: &'a mut WebSocket,
    hall: Arc<Hall>,
    place: Arc<Place>,
    owner: Owner,
    /// True if the person wants to see beliefs.
    shaded: bool,
    pace: Pace,
}

impl Line<'_> {
    async fn show(&mut self, shown: &Shown) -> Result<(), Over> {
        send(self.socket, if self.shaded { &shown.shaded } else { &shown.plain }).await
    }

    async fn refuse(&mut self, why: &str) -> Result<(), Over> {
        send(self.socket, &Message::Refused { why }.text()).await
    }

    async fn grant(&mut self, wish: Wish) -> Result<(), Over> {
        if !self.pace.allows(Instant::now()) {
            return Err(Over::Because("This page sent too many messages: load it again."));
        }
        match (wish, self.owner.clone()) {
            (Wish::Sit { .. }, _) => Err(Over::Because("This page has a seat already.")),
            (Wish::Beliefs { on }, _) => {
                self.shaded = on;
                for shown in self.place.kept() {
                    self.show(&shown).await?;
                }
                Ok(())
            }
            (Wish::Look { round }, Owner::Seat(table, _)) => {
                match tokio::task::spawn_blocking(move || table.look(round)).await.ok().flatten() {
                    Some(text) => send(self.socket, &text).await,
                    None => self.refuse("The match is not over.").await,
                }
            }
            (wish, Owner::Seat(table, Some(player))) => self.play(wish, table, player).await,
            (_, Owner::Seat(_, None)) => self.refuse("Watchers have no seat.").await,
            (wish, Owner::Visitor) => self.arrange(wish).await,
        }
    }

    /// A wish of a player.
    async fn play(&mut self, wish: Wish, table: Arc<Table>, player: usize) -> Result<(), Over> {
        // Some of this is written to a file, and waits for the disk.
        let work = move || match wish {
            Wish::Move { number, round, mv } => table.choose(player, number, round, &mv).map(|()| None),
            Wish::Again => {
                table.want_again(player);
                Ok(None)
            }
            Wish::Leave { number } => table.leave(player, number).map(|()| None),
            Wish::Note { number, round, text } => {
                table.remark(player, number, round, &text, Kept::Note).map(|()| Some(Message::Noted.text()))
            }
            Wish::Tried { number, round, text } => {
                table.remark(player, number, round, &text, Kept::Tried).map(|()| None)
            }
            _ => Err("This is not a lobby."),
        };
        let done = tokio::task::spawn_blocking(work).await.unwrap_or(Err("This did not work."));
        self.answer(done.map_err(str::to_string)).await
    }

    /// A wish in a lobby.
    async fn arrange(&mut self, wish: Wish) -> Result<(), Over> {
        let hall = self.hall.clone();
        let yours = |token: String| Some(Message::Yours { token }.text());
        let work = move || match wish {
            Wish::NewTable { game } => hall.new_table(&game).map(|()| None),
            Wish::Take { table, seat, name } => hall.take(table, seat, &name).map(yours).map_err(str::to_string),
            Wish::Program { table, seat, strategy } => {
                hall.program(table, seat, &strategy).map(|()| None).map_err(str::to_string)
            }
            Wish::Free { table, seat } => hall.free(table, seat).map(|()| None).map_err(str::to_string),
            Wish::Watch { table } => hall.watch(table).map(yours).map_err(str::to_string),
            Wish::Remove { table } => hall.remove(table).map(|()| None).map_err(str::to_string),
            _ => Err("This is a lobby: take a seat first.".into()),
        };
        let done = tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err("This did not work.".into()));
        self.answer(done).await
    }

    async fn answer(&mut self, done: Result<Option<Arc<str>>, String>) -> Result<(), Over> {
        match done {
            Ok(Some(text)) => send(self.socket, &text).await,
            Ok(None) => Ok(()),
            Err(why) => self.refuse(&why).await,
        }
    }
}

/// The next message of a page.
async fn receive(socket: &mut WebSocket) -> Result<Wish, Over> {
    loop {
        match socket.recv().await {
            Some(Ok(Frame::Text(text))) => {
                return serde_json::from_str(&text).map_err(|_| Over::Because("This is not a message of this page."));
            }
            // The answers to signs of life.
            Some(Ok(Frame::Pong(_))) => {}
            Some(Ok(Frame::Binary(_) | Frame::Ping(_) | Frame::Close(_)) | Err(_)) | None => return Err(Over::Gone),
        }
    }
}

async fn send(socket: &mut WebSocket, text: &str) -> Result<(), Over> {
    let sent = timeout(PATIENCE, socket.send(Frame::Text(text.into()))).await;
    sent.ok().and_then(Result::ok).ok_or(Over::Gone)
}

/// A bucket of messages that fills up with time.
struct Pace {
    left: f64,
    at: Instant,
}

impl Pace {
    fn new() -> Pace {
        Pace { left: BURST, at: Instant::now() }
    }

    fn allows(&mut self, now: Instant) -> bool {
        let gained = now.saturating_duration_since(self.at).as_secs_f64() * RATE;
        self.left = (self.left + gained).min(BURST) - 1.0;
        self.at = now;
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_a_pace() {
        let mut pace = Pace::new();
        let begin = pace.at;
        assert!((0..20).all(|_| pace.allows(begin)) && !pace.allows(begin));
        assert!(pace.allows(begin + Duration::from_secs(1)));
    }
}
