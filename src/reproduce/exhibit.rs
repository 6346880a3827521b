use super::{
    Finding, Lab, ReproduceError, appendix_b, benefit, competence, crossovers, drawn, equals, grids, markov,
    open, preference, table_1, table_2,
};

/// Something published, and how it is computed anew.
pub struct Exhibit {
    /// By which users ask for it.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Whether it takes minutes, so that it is done only if it is asked for by name.
    pub long: bool,
    /// Computes it and compares.
    pub run: fn(&Lab<'_>) -> Result<Finding, ReproduceError>,
}

/// Everything, in the order of the papers.
pub const ENTRIES: [Exhibit; 12] = [
    Exhibit {
        name: "p1-preference",
        title: "P1 Figures 1-3: preference functions",
        long: false,
        run: preference::run,
    },
    Exhibit {
        name: "p1-crossovers",
        title: "P1 §7, Figures 4-7: which optimal move is best against whom",
        long: false,
        run: crossovers::run,
    },
    Exhibit {
        name: "p1-competence",
        title: "P1 §8, Figures 8 and 9: Browne's apparent competence, and the depths of both games",
        long: false,
        run: competence::run,
    },
    Exhibit {
        name: "p1-benefit",
        title: "P1 §8: what better choices would have gained",
        long: false,
        run: benefit::run,
    },
    Exhibit {
        name: "p1-appendix-b",
        title: "P1 Appendix B: the games Browne - BELLE",
        long: false,
        run: appendix_b::run,
    },
    Exhibit {
        name: "p2-grids",
        title: "P2 §4.1, Figures 1 and 2: candidates for c",
        long: false,
        run: grids::run,
    },
    Exhibit {
        name: "p2-open",
        title: "P2 §4.2-4.4: what the paper leaves open",
        long: false,
        run: open::run,
    },
    Exhibit {
        name: "p2-table-1",
        title: "P2 §6, Table 1, Figures 3, 4 and 7: the match R_20 - R_∞",
        long: false,
        run: table_1::run,
    },
    Exhibit {
        name: "p2-markov",
        title: "P2 §5-6, Figures 5 and 6: the Markov model",
        long: false,
        run: markov::run,
    },
    Exhibit { name: "p2-table-2", title: "P2 §7, Table 2: players", long: false, run: table_2::run },
    Exhibit {
        name: "p2-equals",
        title: "P2 §8: R_c against R_c, queen against rook",
        long: true,
        run: equals::run,
    },
    Exhibit { name: "p2-drawn", title: "P2 §8: drawn positions against R_c", long: true, run: drawn::run },
];
