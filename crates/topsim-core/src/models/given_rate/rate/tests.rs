use super::*;
use crate::models::given_rate::Sine;

fn product() -> RateModel {
    let sine = |amplitude, rate, phase| Sine {
        amplitude,
        rate,
        phase,
    };
    let turn = |axis, polynomial: &[f64], sines: &[Sine]| Factor {
        axis,
        angle: TimeFunction {
            polynomial: polynomial.to_vec(),
            sines: sines.to_vec(),
        },
    };
    let factors = vec![
        turn([0.0, 0.0, 2.0], &[0.2, 0.7], &[sine(0.4, 1.3, 0.3)]),
        turn([1.0, 0.5, 0.0], &[], &[sine(0.9, 2.1, 0.0)]),
        turn([0.3, -1.0, 0.4], &[0.1, 0.0, 0.15], &[sine(0.2, 3.0, 1.0)]),
    ];
    RateTable::Product(Product { factors }).rate().unwrap()
}

fn axes() -> RateModel {
    let f = |c: f64| TimeFunction {
        polynomial: vec![c, -0.3, 0.05],
        sines: vec![Sine {
            amplitude: c,
            rate: 2.0,
            phase: 0.5,
        }],
    };
    RateModel::Axes(Axes {
        x: f(0.4),
        y: f(-0.9),
        z: f(1.1),
    })
}

const CONING: RateModel = RateModel::Coning(Coning {
    angle: 0.3,
    frequency: 5.0,
});

/// A'(t) = A Ŵ, checked by central differences.
#[test]
fn the_rate_is_that_of_the_attitude() {
    for rate in [CONING, product()] {
        for t in [0.0, 0.7, 3.1] {
            let d = 1e-4;
            let [a, b] = [t - d, t + d].map(|t| rate.attitude(t).unwrap());
            let w = so3::log(&(a.transpose() * b)) / (2.0 * d);
            assert!(
                (w - rate.at(t)).norm() < 3e-6,
                "{rate:?} at {t}: {w} {}",
                rate.at(t)
            );
        }
    }
}

/// Increments compared with sums of the same rule on a thousand times finer panels, and with a closed form.
#[test]
fn increments_are_the_integral_of_the_rate() {
    for rate in [CONING, product(), axes()] {
        let whole = rate.increment(0.3, 2.3);
        let parts: Vec3 = (0..1000)
            .map(|k| {
                let t = |k: i32| 0.3 + 2e-3 * f64::from(k);
                rate.increment(t(k), t(k + 1))
            })
            .sum();
        assert!(
            (whole - parts).norm() < 1e-14,
            "{rate:?}: {}",
            (whole - parts).norm()
        );
        assert!((rate.increment(2.3, 0.3) + whole).norm() < 1e-14);
    }
    let antiderivative =
        |t: f64| 0.4 * t - 0.15 * t * t + 0.05 / 3.0 * t * t * t - 0.2 * libm::cos(2.0 * t + 0.5);
    let exact = antiderivative(2.3) - antiderivative(0.3);
    assert!((axes().increment(0.3, 2.3).x - exact).abs() < 1e-15);
}

#[test]
fn rates_without_rotation_are_refused() {
    let refused = |factors| {
        RateTable::Product(Product { factors })
            .rate()
            .unwrap_err()
            .key
    };
    assert_eq!(refused(Vec::new()), "factors");
    let still = Factor {
        axis: [0.0; 3],
        angle: TimeFunction::default(),
    };
    assert_eq!(refused(vec![still]), "factors[0].axis");
    let constant = |amplitude| Factor {
        axis: [0.0, 0.0, 1.0],
        angle: TimeFunction {
            polynomial: vec![0.3, 0.0],
            sines: vec![Sine {
                amplitude,
                rate: 2.0,
                phase: 0.0,
            }],
        },
    };
    assert_eq!(refused(vec![constant(0.0)]), "factors[0].angle");
    let turns = vec![constant(0.0), constant(1.0)];
    let turns = Product { factors: turns };
    assert!(RateTable::Product(turns).rate().is_ok());
    let zero = Axes {
        x: TimeFunction::default(),
        y: constant(0.0).angle,
        z: TimeFunction::default(),
    };
    assert!(RateTable::Axes(zero.clone()).rate().is_ok());
    let y = TimeFunction::default();
    let zero = RateTable::Axes(Axes { y, ..zero });
    assert_eq!(zero.rate().unwrap_err().key, "x");
}

/// Increments within the limit are accurate, and larger ones are NaN for every caller.
#[test]
fn a_step_has_a_limit() {
    let fast = |polynomial: &[f64]| {
        let angle = TimeFunction {
            polynomial: polynomial.to_vec(),
            sines: Vec::new(),
        };
        let axis = [0.0, 0.0, 1.0];
        RateTable::Product(Product {
            factors: vec![Factor { axis, angle }],
        })
        .rate()
        .unwrap()
    };
    let steady = fast(&[0.0, 2.1e6]);
    let longest = steady.longest_step(0.0, 1.0);
    assert_eq!(longest, 1.94e-3);
    let increment = steady.increment(0.5, 0.5 + longest).z;
    assert!((increment / (2.1e6 * longest) - 1.0).abs() < 1e-12);
    assert!(steady.increment(0.5, 0.5 + 1.1 * longest).z.is_nan());
    assert_eq!(CONING.longest_step(0.0, 1.0), f64::INFINITY);
    assert!(CONING.increment(0.0, 1e9).norm().is_finite());
    // The rate is 0 at 0, 1/2 and 1, but not between.
    let between = fast(&[0.0, 0.0, 0.25e8, -0.5e8, 0.25e8]);
    assert!(between.longest_step(0.0, 1.0) < 1e-4);
    assert!(between.longest_step(0.0, 0.3) >= between.longest_step(0.0, 1.0));
    assert_eq!(axes().phase_bound(1.0, 3.0), 4.0);
}

#[test]
fn every_number_that_is_written_stands_beside_its_formula() {
    for (rate, name) in [(CONING, "coning"), (product(), "product"), (axes(), "axes")] {
        let written = serde_json::to_value(&rate).unwrap();
        assert_eq!(written["model"], name);
        let formula = written["formula"].as_str().unwrap();
        for key in written.as_object().unwrap().keys() {
            let told = ["model", "formula", "number"].contains(&key.as_str());
            assert!(told || formula.contains(key), "{name}: {key}");
        }
    }
}
