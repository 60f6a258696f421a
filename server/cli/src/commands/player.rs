//! `percept player`: serves a strategy on a port to remote match managers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use percept_players::host::{Admission, AdmissionError, Host, HostOptions, Server};
use percept_players::wire::Limits;

use crate::args::Player;
use crate::failure::{Failure, OK, Outcome};
use crate::output;

pub(crate) fn run(args: &Player) -> Outcome {
    let strategy = super::matches::program(&args.strategy)?;
    if args.name.is_empty() || !args.name.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it)) {
        return Err(Failure::new("a name is a word of letters, digits, `-`, `_` and `.`"));
    }
    let admission = admission(args).map_err(|error| Failure::new(error.to_string()))?;
    let options = HostOptions {
        name: args.name.clone(),
        seed: args.seed,
        simulations: args.simulations,
        matches: args.matches.into(),
        ..HostOptions::default()
    };
    let host = Host::new(strategy, options).watched_by(output::say);
    let address = SocketAddr::new(args.host, args.port);
    let failure = |error: std::io::Error| Failure::new(format!("cannot listen on {address}: {error}"));
    // A START and a PLAY of each match may wait; the other threads answer the rest.
    let connections = Limits::default().connections + 2 * usize::from(args.matches);
    let limits = Limits { connections, ..Limits::default() };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // A START and a PLAY of each match may wait, and so may some matches that are about to end.
        .max_blocking_threads(2 * usize::from(args.matches) + 2)
        .thread_keep_alive(Duration::from_secs(1))
        .enable_all()
        .build()
        .map_err(failure)?;
    runtime.block_on(async {
        let server = Server::bind(address, Arc::new(host), limits).await.map_err(failure)?.admitting(admission);
        output::println(&format!("listening on {}", server.address().map_err(failure)?));
        server.run().await;
        Ok(OK)
    })
}

/// The clients whose requests are read.
fn admission(args: &Player) -> Result<Admission, AdmissionError> {
    let mut admission = Admission::default();
    admission.allow_get(args.allow_get);
    args.allow_hosts.iter().try_for_each(|name| admission.allow_host(name))?;
    args.allow_origins.iter().try_for_each(|origin| admission.allow_origin(origin))?;
    Ok(admission)
}
