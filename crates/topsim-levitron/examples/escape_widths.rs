//! Escape times by every width this processor has: checksums, which must agree, of a 40 × 40 map
//! of Figure 1a of Dullin 2004 and of random starts with other schemes and fields.

use topsim_core::models::levitron::{FieldModel, Levitron, LevitronParameters, VerticalGradient};
use topsim_core::models::reduced::ReducedDamping;
use topsim_core::schemes::compositions::{BM4, BM6, Composition, DRIFT_KICK, KICK_DRIFT, STRANG};
use topsim_levitron::kernel::{EscapeProblem, Width, escape_steps};

/// Returns the FNV-1a hash of the results.
fn checksum(steps: &[i32]) -> u64 {
    steps
        .iter()
        .flat_map(|s| s.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |h, byte| {
            (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
}

fn problem(
    field: FieldModel,
    scheme: Composition,
    h: f64,
    end: f64,
    damping: ReducedDamping,
) -> EscapeProblem {
    let levitron = Levitron::new(LevitronParameters {
        field,
        ..LevitronParameters::dullin2004()
    })
    .unwrap();
    // The ring is not the paper's magnet: its ball is the disk's.
    let z = levitron
        .equilibrium()
        .map_or(0.031_292_693_452_329_53, |e| e.outer);
    EscapeProblem {
        levitron,
        spin: 40.0 * core::f64::consts::PI,
        centre: [0.0, 0.0, z],
        radius: z,
        h,
        steps: (end / h).round() as u32,
        scheme,
        damping,
    }
}

fn main() {
    let gradient = VerticalGradient::Exact;
    let disk = |order| FieldModel::Disk { order, gradient };
    let strang = || STRANG;
    let none = ReducedDamping::default();
    let some = ReducedDamping {
        translation: 0.02,
        spin: 0.01,
        transverse: 0.05,
    };
    let problems = [
        (
            "fig 1a, 40 x 40",
            problem(disk(7), strang(), 0.002, 20.0, none),
        ),
        ("bm4", problem(disk(7), BM4, 0.006, 4.0, none)),
        ("bm6", problem(disk(7), BM6, 0.012, 4.0, none)),
        (
            "first order, order 5",
            problem(disk(5), KICK_DRIFT, 0.002, 4.0, none),
        ),
        (
            "adjoint, damped",
            problem(disk(7), DRIFT_KICK, 0.002, 4.0, some),
        ),
        (
            "exact, damped",
            problem(FieldModel::Exact, strang(), 0.002, 2.0, some),
        ),
        (
            "ring",
            problem(
                FieldModel::Ring { order: 9, gradient },
                strang(),
                0.002,
                2.0,
                none,
            ),
        ),
    ];
    for width in Width::ALL {
        let there = if width.is_available() { "yes" } else { "no" };
        println!("{width}: {there}");
    }
    println!("best: {}", Width::best());
    let mut wrong = false;
    for (k, (name, p)) in problems.iter().enumerate() {
        let zs = p.centre[2];
        let starts: Vec<[f64; 3]> = if k == 0 {
            (0..1600)
                .map(|n| {
                    let (i, j) = (f64::from(n % 40), f64::from(n / 40));
                    let x = 0.012 * (i + 0.5) / 40.0;
                    [x, 0.0, zs - 0.01 + 0.02 * (j + 0.5) / 40.0]
                })
                .collect()
        } else {
            // A linear congruential generator is random enough.
            let mut seed = 12_345_u64;
            let mut random = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
            };
            (0..301)
                .map(|_| [0.02 * random(), 0.02 * random(), zs + 0.02 * random()])
                .collect()
        };
        let mut first = None;
        for width in Width::available() {
            let mut out = vec![0; starts.len()];
            let steps = escape_steps(p, &starts, width, &mut out, &|_| true).unwrap();
            let sum = checksum(&out);
            let survivors = out.iter().filter(|s| **s < 0).count();
            println!("{name:22} {width:7} {sum:016x}  {survivors:4} survive, {steps} steps");
            wrong |= *first.get_or_insert(sum) != sum;
        }
    }
    if wrong {
        println!("the widths differ");
        std::process::exit(1);
    }
}
