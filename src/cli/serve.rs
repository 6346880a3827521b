use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use clap::Args;

use super::{Context, Failure};
use crate::{
    console, directories,
    engine::SeatSettings,
    web::{ServeSettings, Server},
};

/// Practice board, live dashboard and review of games in the browser
///
/// Serves pages to browsers on this machine, and with --listen to others in its network, who need the address with the
/// key that is printed. Nothing is fetched from anywhere. Games are kept, and go on after a restart.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare serve --open
  errare serve --port 9000
  errare serve --listen 0.0.0.0
  errare serve --follow round-1.pgn --follow round-2.pgn")]
pub struct Arguments {
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 8765)]
    port: u16,
    /// Listen on this address, as in 0.0.0.0 or 192.168.1.5, so that a phone in the same network can play
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Show the games of this PGN file on the dashboard, and follow it as it grows; may be given several times
    #[arg(long, value_name = "FILE")]
    follow: Vec<PathBuf>,
    /// Where games are kept (default: the user's data directory)
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Threads that think (default: one for each core)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let folder = arguments.folder.clone().or_else(|| Some(directories::data()?.join("web")));
    let folder =
        folder.ok_or_else(|| Failure::usage("there is no folder for games; name one with --folder"))?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let own = IpAddr::from([127, 0, 0, 1]);
    let settings = ServeSettings {
        listen: SocketAddr::new(arguments.listen.unwrap_or(own), arguments.port),
        folder,
        follow: arguments.follow.clone(),
        seat: SeatSettings::new(&context.config),
        threads: arguments.threads.map_or(cores, usize::from),
    };
    let server = Server::open(settings, context.tables()?).map_err(Failure::failed)?;
    for address in server.addresses() {
        writeln!(context.out, "{address}")?;
    }
    context.out.flush()?;
    if arguments.open
        && let Some(address) = server.addresses().first()
        && let Err(error) = open_browser(address)
    {
        console::tell(format_args!("errare: no browser could be opened ({error}); open {address} yourself"));
    }
    server.run(&context.control()).map_err(Failure::failed)
}

/// Has the system open an address, which is one of ours.
fn open_browser(address: &str) -> std::io::Result<()> {
    let (program, arguments): (&str, &[&str]) = if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let quiet = std::process::Stdio::null;
    let mut browser = std::process::Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn()?;
    // It may stay for as long as it likes; it is waited for so that nothing of it remains.
    std::thread::spawn(move || browser.wait());
    Ok(())
}
