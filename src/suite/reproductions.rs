//! Errors in publications and programs that built-in cases show: one row each, told in full in `docs/findings.md`.

/// An error that can be shown again.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reproduction {
    /// Name of the reproduction.
    pub id: &'static str,
    /// The publication or program with the error, and its version.
    pub project: &'static str,
    /// The effect that a user sees, in a sentence.
    pub shows: &'static str,
    /// The case that shows it.
    pub case: &'static str,
    /// The checks that show it; `*` stands for any characters.
    pub checks: &'static [&'static str],
}

/// All reproductions, in the order of the document.
pub static REPRODUCTIONS: &[Reproduction] = &[
    Reproduction {
        id: "solfec-energy-gate",
        project: "Solfec validation manual, \"Heavy symmetrical top\"",
        shows: "The one number that is asked for, a Hamiltonian within 0.1 %, is kept a thousand times better by every scheme; \
                the error of the attitude is what tells them apart.",
        case: "heavy_top",
        checks: &[
            "H within 0.1 % (nearly vacuous)",
            "Solfec: largest relative drift, *",
            "Solfec: attitude error *",
        ],
    },
    Reproduction {
        id: "solfec-pinned-bar",
        project: "Solfec validation manual, \"Pinned bar\"",
        shows: "The formula that the manual compares with is 0.3 % off: it takes the bar as a line. Solfec's own number is right.",
        case: "pinned_bar",
        checks: &["rate at the bottom *"],
    },
    Reproduction {
        id: "kynema-wrong-start",
        project: "Kynema, regression test of the heavy top",
        shows: "The test starts from accelerations that do not satisfy the equations of motion, and so shows less than order 2, \
                which the scheme has.",
        case: "kynema_heavy_top_inconsistent",
        checks: &[
            "Kynema's asserted place at 2 s",
            "the published start is seen: below second order",
            "second order from the consistent start",
        ],
    },
    Reproduction {
        id: "kynema-external-force",
        project: "Kynema, MassesTest.ExternalForce",
        shows: "The asserted velocities 4.9975 and 2.9985 are those of a start without acceleration; the exact ones are 5 and 3.",
        case: "kynema_external_force",
        checks: &["*"],
    },
    Reproduction {
        id: "kynema-precession",
        project: "Kynema, PrecessionTest",
        shows: "The asserted attitude is 3.44e-3 rad from the exact one, because the test starts from no angular acceleration.",
        case: "kynema_precession",
        checks: &[
            "attitude after 5 s*",
            "Kynema's attitude *",
            "… and no nearer",
        ],
    },
    Reproduction {
        id: "terze-title",
        project: "Terze, Müller & Zlatar 2015, explicit scheme",
        shows: "The scheme gains energy on a free body, although the paper is titled energy conserving: the title belongs to its \
                implicit algorithm.",
        case: "t_handle",
        checks: &[
            "terze gains energy*",
            "flip * of terze *",
            "flip * by the exact flow",
        ],
    },
    Reproduction {
        id: "exudyn-frozen-errors",
        project: "Exudyn, test of explicit Lie group integrators",
        shows: "The numbers that the test keeps are those of its steps, up to 0.27 rad/s from the motion: a better scheme would fail \
                the test.",
        case: "bruls_heavy_top",
        checks: &["ω_y(2 s) *"],
    },
];
