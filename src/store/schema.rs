//! The tables of a store. Analysts open them with their own tools: `docs/rating.md` describes every column.

use super::database::Dialect;

/// What this program reads and writes.
pub(super) const VERSION: i64 = 2;

/// Makes what is not there yet.
pub(super) fn schema(dialect: &Dialect) -> String {
    let Dialect { id, blob, by_key, .. } = dialect;
    format!(
        "CREATE TABLE IF NOT EXISTS errare_store (version BIGINT NOT NULL PRIMARY KEY);
         CREATE TABLE IF NOT EXISTS pricer (
             id {id},
             engine TEXT NOT NULL, options TEXT NOT NULL, budget TEXT NOT NULL,
             UNIQUE (engine, options, budget));
         CREATE TABLE IF NOT EXISTS look (
             pricer BIGINT NOT NULL REFERENCES pricer (id),
             position TEXT NOT NULL,
             packed {blob} NOT NULL,
             PRIMARY KEY (pricer, position)) {by_key};
         CREATE TABLE IF NOT EXISTS job (
             id {id},
             kind TEXT NOT NULL, name TEXT NOT NULL, analyst TEXT NOT NULL, payload TEXT NOT NULL,
             priority BIGINT NOT NULL, state TEXT NOT NULL, worker TEXT NOT NULL,
             lease BIGINT NOT NULL, attempts BIGINT NOT NULL, result TEXT NOT NULL,
             UNIQUE (kind, name));
         CREATE TABLE IF NOT EXISTS progress (name TEXT NOT NULL PRIMARY KEY, state TEXT NOT NULL);
         CREATE INDEX IF NOT EXISTS job_open ON job (state, priority DESC, id);"
    )
}
