use std::sync::LazyLock;

/// The version, the commit it was built from, and what the processor must have.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let needed = [
            ("popcnt", cfg!(target_feature = "popcnt")),
            ("avx2", cfg!(target_feature = "avx2")),
            ("bmi2", cfg!(target_feature = "bmi2")),
            ("avx512f", cfg!(target_feature = "avx512f")),
        ];
        let needed: Vec<&str> = needed.iter().filter(|(_, needed)| *needed).map(|(name, _)| *name).collect();
        let needed = if needed.is_empty() { "no".to_owned() } else { needed.join(", ") };
        format!(
            "{} ({})\nfor {}, {needed} special instructions needed",
            env!("CARGO_PKG_VERSION"),
            env!("ERRARE_COMMIT"),
            env!("ERRARE_TARGET"),
        )
    });
    &VERSION
}
