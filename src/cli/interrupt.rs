use std::sync::{OnceLock, atomic::AtomicBool};

use crate::oracle::Control;

/// A flag that Ctrl-C raises. Long work looks at it now and then and ends cleanly; a second Ctrl-C
/// ends the program at once.
#[derive(Clone, Default)]
pub struct Interrupt(Control);

impl Interrupt {
    /// The flag of this process. The handler is installed once.
    pub fn listen() -> Interrupt {
        static FLAG: OnceLock<Interrupt> = OnceLock::new();
        FLAG.get_or_init(|| {
            let interrupt = Interrupt::default();
            let flag = interrupt.clone();
            let installed = ctrlc::set_handler(move || {
                if flag.raised() {
                    std::process::exit(1);
                }
                flag.0.stop();
            });
            if let Err(error) = installed {
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

    /// The flag itself, for work that polls it.
    pub fn flag(&self) -> &AtomicBool {
        self.0.flag()
    }

    /// The flag as searches know it.
    pub fn control(&self) -> Control {
        self.0.clone()
    }
}
