use std::{
    io,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use super::Failure;
use crate::{console, oracle::Control};

/// A flag that Ctrl-C raises, and that the system raises when the program is to end (on Unix SIGTERM, and SIGHUP when
/// the terminal is closed). Long work looks at it now and then and ends cleanly, with the engines it has started; asked a
/// second time, the program ends at once.
#[derive(Clone, Default)]
pub struct Interrupt(Control, Arc<AtomicUsize>);

/// How long work that leaves nothing to put in order may take to end.
const PATIENCE: Duration = Duration::from_millis(700);

/// While it lives, nothing has to be put in order if the program ends.
pub struct Hurry(Arc<AtomicUsize>);

impl Drop for Hurry {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Interrupt {
    /// The flag of this process. The handler is installed once.
    pub fn listen() -> Interrupt {
        static FLAG: OnceLock<Interrupt> = OnceLock::new();
        FLAG.get_or_init(|| {
            let interrupt = Interrupt::default();
            let flag = interrupt.clone();
            let raise = move || {
                if flag.raised() {
                    std::process::exit(1);
                }
                flag.0.stop();
                let hurries = flag.clone();
                // Without a thread, whoever waits may ask a second time.
                let _ = std::thread::Builder::new().spawn(move || {
                    std::thread::sleep(PATIENCE);
                    if hurries.1.load(Ordering::Relaxed) > 0 {
                        console::tell("errare: interrupted");
                        std::process::exit(1);
                    }
                });
            };
            if let Err(error) = install(raise) {
                log::warn!("Ctrl-C will end the program without cleaning up: {error}");
            }
            interrupt
        })
        .clone()
    }

    /// Whether Ctrl-C was pressed.
    pub fn raised(&self) -> bool {
        self.0.is_stopped()
    }

    /// An error if Ctrl-C was pressed.
    pub fn check(&self) -> Result<(), Failure> {
        if self.raised() { Err(Failure::Interrupted) } else { Ok(()) }
    }

    /// Work begins that leaves nothing to put in order, and looks at the flag seldom: if it has not ended soon after Ctrl-C, the
    /// program does.
    pub fn hurry(&self) -> Hurry {
        self.1.fetch_add(1, Ordering::Relaxed);
        Hurry(self.1.clone())
    }

    /// The flag itself, for work that polls it.
    pub fn flag(&self) -> &AtomicBool {
        self.0.flag()
    }

    /// The flag as searches know it.
    pub fn control(&self) -> Control {
        self.0.clone()
    }
}

#[cfg(unix)]
fn install(raise: impl Fn() + Send + 'static) -> io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = Signals::new(signals)?;
    let listen = move || signals.forever().for_each(|_| raise());
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}

/// Whether whoever started the program has it ignore a signal, as `nohup` does; where the system does not tell, not.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

#[cfg(not(unix))]
fn install(raise: impl Fn() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(raise).map_err(io::Error::other)
}
