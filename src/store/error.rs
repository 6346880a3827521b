use super::UnreadableLook;

/// Why a store does not serve.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The program was built without it.
    #[error("{location}: this program was built without {what}; build it with --features {feature}")]
    NotBuilt {
        /// What was asked for.
        location: String,
        /// What is missing.
        what: &'static str,
        /// How to have it.
        feature: &'static str,
    },
    /// It should be there.
    #[error("there is no store {0}; 'errare rate' makes one")]
    Missing(String),
    /// It can't be opened, or a query failed.
    #[error("the store {location}: {cause}")]
    Database {
        /// Which store.
        location: String,
        /// What the database says.
        cause: String,
    },
    /// Another kind of file, or one of a later program.
    #[error(
        "{location} has version {found} of the store, this program reads version {known}; name another file"
    )]
    Version {
        /// Which store.
        location: String,
        /// What it says.
        found: i64,
        /// What is understood.
        known: i64,
    },
    /// A look that can't be read.
    #[error("{position}: {source}; 'errare store verify --repair' takes it out, and it is priced again")]
    Look {
        /// Of which position.
        position: String,
        /// What is wrong.
        source: UnreadableLook,
    },
    /// A row that is not of the expected shape.
    #[error("the store has a row that makes no sense: {0}")]
    Row(String),
}
