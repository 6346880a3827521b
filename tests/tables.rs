//! Tables against published figures.

use errare::{
    config::Config,
    endgame::{Client, Tables},
    model::{Depth, Metric},
};
use shakmaty::Color;

fn tables() -> (Tables, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::parse(std::path::Path::new("engine.toml"), "").unwrap().tables;
    config.path = folder.path().to_string_lossy().into_owned();
    (Tables::new(&config).unwrap(), folder)
}

/// Depths of the deepest wins, in the winner's moves.
#[test]
fn deepest_wins_are_the_published_ones() {
    let (tables, _folder) = tables();
    for (name, metric, white, black) in [
        // Haworth 2003, §2.
        ("KQKR", Metric::Dtc, 31, 3),
        // Nalimov's tables.
        ("KQK", Metric::Dtm, 10, 0),
        ("KRK", Metric::Dtm, 16, 0),
        ("KBBK", Metric::Dtm, 19, 0),
        ("KBNK", Metric::Dtm, 33, 0),
        ("KPK", Metric::Dtm, 28, 0),
        ("KQKR", Metric::Dtm, 35, 19),
    ] {
        let table = tables.require(name.parse().unwrap(), metric, Client::silent()).unwrap();
        let deepest = [Color::White, Color::Black].map(|winner| table.deepest(winner));
        assert_eq!(deepest, [Depth(white), Depth(black)], "{name} by {metric}");
    }
}
