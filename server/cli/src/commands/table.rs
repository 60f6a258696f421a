//! `percept table`: people play a game in their browsers, by links.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use percept_players::{Arena, Strategy};
use percept_report::board::Layout;
use percept_table::{Doors, Header, Kept, KeptError, Past, Player, Setting, Table, Token, serve};
use tokio::net::TcpListener;

use super::matches;
use crate::args::Table as Arguments;
use crate::failure::{Failure, OK, Outcome};
use crate::load::{Loaded, Loader, title};
use crate::work::Work;
use crate::{limits, output};

/// The time between two looks at Ctrl-C.
const GLANCE: Duration = Duration::from_millis(50);

pub(crate) fn run(args: &Arguments) -> Outcome {
    let set_up = Work::begin(None);
    let loaded = Loader::new(&args.game, &set_up).load()?;
    let arena = Arena::new(matches::briefing(&loaded, &set_up.budget())?);
    drop(set_up);
    loaded.sound()?;
    let doors = Doors::new(args.listen, &args.allow_hosts).map_err(|error| Failure::new(error.to_string()))?;
    let seats = seats(&loaded, &args.seats)?;
    let header = header(args, &loaded, &seats)?;
    let past = match &args.out {
        Some(path) => {
            percept_syntax::is_within(path).map_err(|error| Failure::io("write", path, &error))?;
            Kept::past(path, &header).map_err(|error| kept_failure(&error))?
        }
        None => None,
    };
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = threads.map_err(|error| Failure::new(format!("cannot start a server: {error}")))?;
    runtime.block_on(async {
        let listener = listen(args, past.as_ref()).await?;
        let address = listener.local_addr().map_err(|error| Failure::new(error.to_string()))?;
        let header = links(header, past.as_ref(), &seats, address.port())?;
        let kept = match &args.out {
            Some(path) => Kept::open(path, &header, past).map_err(|error| kept_failure(&error))?,
            None => Kept::nothing(),
        };
        show_links(&loaded, &header, address);
        let setting = setting(args, &loaded, arena, seats, &header)?;
        play(Arc::new(Table::new(setting)), kept, listener, doors).await
    })
}

/// Plays until Ctrl-C.
async fn play(table: Arc<Table>, kept: Kept, listener: TcpListener, doors: Doors) -> Outcome {
    let (manager, kept) = (table.clone(), Arc::new(kept));
    let mut playing = tokio::task::spawn_blocking(move || manager.run(&kept));
    limits::heed_interrupts();
    let is_stopped = async {
        while limits::stopped().is_none() {
            tokio::time::sleep(GLANCE).await;
        }
    };
    tokio::select! {
        ended = &mut playing => match ended {
            Ok(Err(error)) => Err(kept_failure(&error)),
            Ok(Ok(())) => Ok(OK),
            Err(_) => Err(Failure::new("the match crashed")),
        },
        () = serve(listener, table.clone(), doors) => Ok(OK),
        () = is_stopped => {
            table.close();
            let _ = playing.await;
            Ok(OK)
        }
    }
}

/// The player of each role without chance; `None` for a person.
fn seats(loaded: &Loaded, texts: &[String]) -> Result<Vec<Option<Strategy>>, Failure> {
    let mut named: BTreeMap<u16, Option<Strategy>> = BTreeMap::new();
    for text in texts {
        let Some((role, player)) = text.split_once('=') else {
            return Err(Failure::new(format!("`{text}` does not name a role and its player"))
                .note("write --seat ROLE=human or --seat ROLE=STRATEGY, such as --seat black=auto"));
        };
        let role = loaded.player(role)?;
        let strategy = match player {
            "human" => None,
            _ if player.starts_with("remote:") => {
                return Err(Failure::new("a program at a table runs on this machine: remote players are for `match`"));
            }
            name => Some(matches::program(name)?),
        };
        if named.insert(role.0, strategy).is_some() {
            return Err(Failure::new(format!("{} has two players", loaded.game.roles[usize::from(role.0)].name)));
        }
    }
    let roles = loaded.game.role_ids().filter(|role| !loaded.game.roles[usize::from(role.0)].is_chance);
    let seats: Vec<Option<Strategy>> = roles.map(|role| named.remove(&role.0).flatten()).collect();
    match seats.iter().any(Option::is_none) {
        true => Ok(seats),
        false => Err(Failure::new("no person plays: name a role with --seat ROLE=human, or use `percept match`")),
    }
}

/// The names of players in the results: people are numbered if there are several.
fn names(seats: &[Option<Strategy>]) -> Vec<String> {
    let people = seats.iter().filter(|seat| seat.is_none()).count();
    let mut number = 0;
    let name = |seat: &Option<Strategy>| match seat {
        Some(strategy) => strategy.name(),
        None if people == 1 => "human".into(),
        None => {
            number += 1;
            format!("human-{number}")
        }
    };
    seats.iter().map(name).collect()
}

fn header(args: &Arguments, loaded: &Loaded, seats: &[Option<Strategy>]) -> Result<Header, Failure> {
    let texts: Vec<&str> = loaded.files.iter().map(|(_, source)| &*source.text).collect();
    let seed = args.seed.map_or_else(|| getrandom::u64().map_err(no_random), Ok)?;
    Ok(Header::new(&title(&args.game.game), &texts, names(seats), args.playclock.as_secs_f64(), seed))
}

fn no_random(error: getrandom::Error) -> Failure {
    Failure::new(format!("the system has no random numbers: {error}"))
}

/// The header with the links and the seed of the table that goes on, or with new ones.
fn links(header: Header, past: Option<&Past>, seats: &[Option<Strategy>], port: u16) -> Result<Header, Failure> {
    if let Some(past) = past {
        return Ok(Header { port, ..past.header.clone() });
    }
    let token = || Token::new().map(|token| token.text()).map_err(no_random);
    let of_seat = |seat: &Option<Strategy>| seat.is_none().then(token).transpose();
    let seats = seats.iter().map(of_seat).collect::<Result<_, _>>()?;
    Ok(Header { port, seats, watchers: token()?, ..header })
}

fn setting(
    args: &Arguments,
    loaded: &Loaded,
    arena: Arena,
    seats: Vec<Option<Strategy>>,
    header: &Header,
) -> Result<Setting, Failure> {
    let unreadable = || Failure::new("the file of the table has links that cannot be read");
    let read = |text: &str| Token::read(text).ok_or_else(unreadable);
    let mut players = Vec::new();
    for (at, seat) in seats.into_iter().enumerate() {
        let token = header.seats.get(at).ok_or_else(unreadable)?.as_deref();
        let player = match (seat, token) {
            (Some(strategy), _) => Player::Program(strategy),
            (None, token) => Player::Human(read(token.ok_or_else(unreadable)?)?),
        };
        players.push((player, header.players[at].clone()));
    }
    let sources: Vec<_> = loaded.files.iter().map(|(_, source)| source).collect();
    Ok(Setting {
        title: header.game.clone(),
        layout: Layout::new(arena.game(), &sources),
        arena,
        players,
        watchers: read(&header.watchers)?,
        playclock: args.playclock,
        seed: header.seed,
    })
}

/// Listens on the port of the options, or on that of the table that goes on if it is free.
async fn listen(args: &Arguments, past: Option<&Past>) -> Result<TcpListener, Failure> {
    if let Some(past) = past.filter(|_| args.port == 0) {
        if let Ok(listener) = TcpListener::bind((args.listen, past.header.port)).await {
            return Ok(listener);
        }
        output::say(&format!("note: port {} is taken, so the links change", past.header.port));
    }
    let address = SocketAddr::new(args.listen, args.port);
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| Failure::new(format!("cannot listen on {address}: {error}")))
}

fn show_links(loaded: &Loaded, header: &Header, address: SocketAddr) {
    let site = SocketAddr::new(reachable(address.ip()), address.port());
    let link = |token: &str| format!("http://{site}/#{token}");
    let roles: Vec<&str> =
        loaded.game.roles.iter().filter(|role| !role.is_chance).map(|role| role.name.as_str()).collect();
    let width = roles.iter().map(|name| name.chars().count()).chain([8]).max().unwrap_or(8);
    output::println(&format!("a table of {}", header.game));
    for (at, role) in roles.iter().enumerate() {
        let by = header.seats.get(at).and_then(Option::as_deref).map_or_else(|| header.players[at].clone(), link);
        output::println(&format!("  {role:width$}  {by}"));
    }
    output::println(&format!("  {:width$}  {}", "watchers", link(&header.watchers)));
    output::println("Give each player its own link: a link is the key of its seat. Ctrl-C ends the table.");
    if !address.ip().is_loopback() {
        output::say("note: other machines can reach this table, and the lines to them are not encrypted");
    }
}

/// The address of this machine in the link: one that others can reach, if the server listens everywhere.
fn reachable(address: IpAddr) -> IpAddr {
    if !address.is_unspecified() {
        return address;
    }
    // A datagram socket sends nothing until it is asked to: this looks up the way to the outside.
    let outside = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    outside.map_or(Ipv4Addr::LOCALHOST.into(), |it| it.ip())
}

fn kept_failure(error: &KeptError) -> Failure {
    let failure = Failure::new(error.to_string());
    match error {
        KeptError::Other { .. } => failure.note("give another file to --out, or the same game, players and clock"),
        _ => failure,
    }
}
