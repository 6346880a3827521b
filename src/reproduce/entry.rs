use super::{
    Finding, Lab, Trouble, appendix_b, benefit, competence, crossovers, grids, markov, open, preference,
    table_1, table_2,
};

/// Something published, and how it is computed anew.
pub struct Entry {
    /// By which users ask for it.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Computes it and compares.
    pub run: fn(&Lab<'_>) -> Result<Finding, Trouble>,
}

/// Everything, in the order of the papers.
pub const ENTRIES: [Entry; 10] = [
    Entry { name: "p1-preference", title: "P1 Figures 1-3: preference functions", run: preference::run },
    Entry {
        name: "p1-crossovers",
        title: "P1 §7, Figures 4-7: which optimal move is best against whom",
        run: crossovers::run,
    },
    Entry {
        name: "p1-competence",
        title: "P1 §8, Figures 8 and 9: Browne's apparent competence, and the depths of both games",
        run: competence::run,
    },
    Entry { name: "p1-benefit", title: "P1 §8: what better choices would have gained", run: benefit::run },
    Entry { name: "p1-appendix-b", title: "P1 Appendix B: the games Browne - BELLE", run: appendix_b::run },
    Entry { name: "p2-grids", title: "P2 §4.1, Figures 1 and 2: candidates for c", run: grids::run },
    Entry { name: "p2-open", title: "P2 §4.2-4.4: what the paper leaves open", run: open::run },
    Entry {
        name: "p2-table-1",
        title: "P2 §6, Table 1, Figures 3, 4 and 7: the match R_20 - R_∞",
        run: table_1::run,
    },
    Entry { name: "p2-markov", title: "P2 §5-6, Figures 5 and 6: the Markov model", run: markov::run },
    Entry { name: "p2-table-2", title: "P2 §7, Table 2: players", run: table_2::run },
];
