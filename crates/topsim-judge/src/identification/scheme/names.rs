//! Names of rules that are known by their sums; all others are written as they are.

use super::ends::Rule;
use super::inner::{Inner, InnerLaw};
use super::linear::spell;
use super::pairs::KNOWN;
use super::runge_kutta::{Edit, EditedRule};
use crate::thresholds::{BEYOND_DIGITS, FEW_TIMES, FITTED, NEGLIGIBLE, TWICE};
use topsim_model::pair::{AngleMap, Form, Quantity as Q};
use topsim_model::stepping::{KeptNumber, RATE, RungeKutta};
use topsim_model::tableau::{self, Place, Tableau};

/// Coefficients are read to this accuracy.
pub(super) fn reading(noise: f64) -> f64 {
    (FEW_TIMES * BEYOND_DIGITS * noise).clamp(FITTED, NEGLIGIBLE)
}

/// The letters of a quantity. Of a rule of the attitude the increment is a rate: accelerations come with h.
pub(super) fn letters(q: Q) -> &'static str {
    match q {
        Q::Rate0 => "W₀",
        Q::Rate1 => "W₁",
        Q::Acceleration0 => "α₀",
        Q::Acceleration1 => "α₁",
        Q::Torque0 => "J⁻¹T₀",
        Q::Torque1 => "J⁻¹T₁",
        Q::Gyro0 => "g(W₀)",
        Q::Gyro1 => "g(W₁)",
        Q::TorqueMiddle => "J⁻¹T½",
        Q::GyroMean => "g((W₀ + W₁)/2)",
        Q::RatePast => "W₋₁",
        Q::AccelerationPast => "α₋₁",
        Q::TorquePast => "J⁻¹T₋₁",
        Q::GyroPast => "g(W₋₁)",
        Q::GainPast => "(W₀ − W₋₁)/h",
        Q::AccelerationPast2 => "α₋₂",
        Q::TorquePast2 => "J⁻¹T₋₂",
        Q::RatePast2 => "W₋₂",
        Q::TorqueAhead => "J⁻¹Tₘ",
        Q::GyroAhead => "g(W₀ + hα₀/2)",
        Q::GyroCarriedAhead => "g(Wₘ)",
        Q::Carried => "(J⁻¹EᵀJW₀ − W₀)/h",
        Q::TorqueCarried0 => "J⁻¹EᵀT₀",
        Q::TorqueAheadCarried => "J⁻¹ exp(−φ)exp(hŴ₀/2)Tₘ",
        Q::TorqueCarriedMiddle => "J⁻¹E½ᵀT½",
        Q::GyroNewton => "g by one Newton step",
        Q::GyroOfOldMomentum => "J⁻¹(J W₀ × W′), W′ the rate after it",
        Q::GyroNewtonKicked => "g by one Newton step after the torque's kick",
        Q::NewtonAll => "α by one Newton step",
        Q::GyroBetweenKicks => "g(W½)",
        Q::GyroTurn => "g(φ/h)",
        Q::GyroCayley => "g(x/h)",
        Q::Mixed01 => "J⁻¹(JW₀ × W₁)",
        Q::Mixed10 => "J⁻¹(JW₁ × W₀)",
        Q::RateBetweenKicks => "W½",
        Q::HalfCarried0 => "J⁻¹E½ᵀJW₀",
        Q::HalfCarried1 => "J⁻¹E½JW₁",
        Q::HalfCarriedByOld => "J⁻¹exp(−hW₀/2)JW₀",
        Q::TorqueHalfCarriedByOld => "J⁻¹exp(−hW₀/2)T₀",
        Q::TorqueHalfCarried0 => "J⁻¹E½ᵀT₀",
        Q::TorqueHalfCarried1 => "J⁻¹E½T₁",
        Q::Commutator => "W₀ × W₁",
        Q::Slope0 => "h q̇₀",
        Q::Slope1 => "h q̇₁",
        Q::SlopeMixed => "h q₀W₁/2",
        Q::SlopePast => "h q̇₋₁",
        Q::SlopePast2 => "h q̇₋₂",
        Q::QuaternionGain => "(q₀ − q₋₁)",
        Q::SlopeAcceleration => "h² q₀α₀/2",
        Q::AccelerationCrossRate => "h² α₀ × W₀",
    }
}

/// What its letters mean, where they are not those of all formulas.
fn meaning(q: Q) -> &'static [&'static str] {
    const E: &str = "E = R₀ᵀR₁";
    const HALF: &str = "E½ half of the turn";
    const MIDDLE: &str = "T½ the torque in the middle of the turn";
    const AHEAD: &str = "Tₘ the torque at R₀ exp(hW₀/2)";
    match q {
        Q::TorqueMiddle => &[MIDDLE],
        Q::TorqueAhead => &[AHEAD],
        Q::TorqueAheadCarried => &["φ the turn", AHEAD],
        Q::GyroCarriedAhead => &[AHEAD, "JWₘ = exp(−hW₀/2)JW₀ + hTₘ/2"],
        Q::Carried | Q::TorqueCarried0 => &[E],
        Q::TorqueCarriedMiddle => &[HALF, MIDDLE],
        Q::GyroBetweenKicks | Q::RateBetweenKicks => &["W½ the rate after the first half kick"],
        Q::GyroTurn => &["φ the turn"],
        Q::GyroCayley => &["cay(x) the turn"],
        Q::HalfCarried0 | Q::HalfCarried1 | Q::TorqueHalfCarried0 | Q::TorqueHalfCarried1 => {
            &[HALF]
        }
        _ => &[],
    }
}

/// What the letters of formulas mean: empty, or a clause that begins with a comma.
pub(super) fn legend(rules: &[&Rule]) -> String {
    let mut all: Vec<&str> = Vec::new();
    for (q, _) in rules.iter().flat_map(|r| &r.terms) {
        for text in meaning(*q) {
            if !all.contains(text) {
                all.push(text);
            }
        }
    }
    if all.is_empty() {
        String::new()
    } else {
        format!(", with {}", all.join(", "))
    }
}

fn sum(rule: &Rule, tolerance: f64) -> String {
    let mut out = String::new();
    for (q, c) in &rule.terms {
        let sign = match (out.is_empty(), *c < 0.0) {
            (true, false) => "",
            (true, true) => "−",
            (false, false) => " + ",
            (false, true) => " − ",
        };
        out += sign;
        let number = spell(c.abs(), tolerance);
        if number != "1" {
            out += &number;
            out += " ";
        }
        if rule.form != Form::Rate && q.power() == 1 && *q < Q::Slope0 {
            out += "h ";
        }
        out += letters(*q);
    }
    out
}

/// A rule as a formula.
pub(super) fn formula(rule: &Rule, noise: f64) -> String {
    let s = sum(rule, reading(noise));
    let single = rule.terms.len() == 1 && !s.contains(' ');
    let (h_sum, half) = if single {
        (format!("h{s}"), format!("h{s}/2"))
    } else {
        (format!("h({s})"), format!("h({s})/2"))
    };
    match rule.form {
        Form::Rate if single => format!("W₁ = W₀ + h {s}"),
        Form::Rate => format!("W₁ = W₀ + {h_sum}"),
        Form::Turn(AngleMap::Exponential) => format!("R₁ = R₀ exp({h_sum})"),
        Form::Turn(AngleMap::Cayley) => format!("R₁ = R₀ cay({h_sum})"),
        Form::Turn(map) => format!("R₁ = R₀ turned by {h_sum}, {}", map.name()),
        Form::AfterOldHalf => format!("R₁ = R₀ exp(hW₀/2) exp({half})"),
        Form::BeforeNewHalf => format!("R₁ = R₀ exp({half}) exp(hW₁/2)"),
        Form::Angles(sequence) => format!(
            "R₁ = R₀ turned by {h_sum} as Euler angles of the sequence {}",
            sequence.name()
        ),
        Form::QuaternionSum => format!("q₁ = q₀ + {}, normalised", sum(rule, reading(noise))),
        Form::GramSchmidt => format!("R₁ = R₀(1 + x̂), x = {h_sum}, made orthogonal by columns"),
    }
}

/// How an increment becomes a turn.
fn form(f: Form) -> &'static str {
    match f {
        Form::Turn(map) => map.name(),
        Form::GramSchmidt => "matrix sum made orthogonal by columns",
        Form::Angles(_) => "Euler angles",
        Form::QuaternionSum => "quaternion sum normalised",
        Form::AfterOldHalf | Form::BeforeNewHalf | Form::Rate => "two exponentials",
    }
}

/// The names of two-point rules: W₁ = W₀ + h((1 − γ)α₀ + γα₁), with the increment W₀ + h(pα₀ + qα₁).
fn two_point(rate: &Rule, attitude: &Rule, tolerance: f64) -> Option<KnownName> {
    if !matches!(attitude.form, Form::Turn(_) | Form::GramSchmidt) {
        return None;
    }
    let of = |rule: &Rule, q: Q| {
        rule.terms
            .iter()
            .filter(|t| t.0 == q)
            .map(|t| t.1)
            .sum::<f64>()
    };
    let only = |rule: &Rule, all: &[Q]| rule.terms.iter().all(|t| all.contains(&t.0));
    if !only(rate, &[Q::Acceleration0, Q::Acceleration1])
        || !only(
            attitude,
            &[Q::Rate0, Q::Rate1, Q::Acceleration0, Q::Acceleration1],
        )
    {
        return None;
    }
    let close = |a: f64, b: f64| (a - b).abs() <= TWICE * tolerance;
    let gamma = of(rate, Q::Acceleration1);
    let new = of(attitude, Q::Rate1);
    if !close(of(rate, Q::Acceleration0) + gamma, 1.0) || !close(of(attitude, Q::Rate0) + new, 1.0)
    {
        return None;
    }
    let p = of(attitude, Q::Acceleration0) + new * (1.0 - gamma);
    let q = of(attitude, Q::Acceleration1) + new * gamma;
    let map = form(attitude.form);
    let is = |g: f64, a: f64, b: f64| close(gamma, g) && close(p, a) && close(q, b);
    let (row, numbers) = if is(0.0, 0.0, 0.0) {
        ("explicit Euler", String::new())
    } else if is(0.0, 1.0, 0.0) {
        ("semi-implicit Euler", String::new())
    } else if is(1.0, 0.0, 1.0) {
        ("implicit Euler", String::new())
    } else if is(0.5, 0.25, 0.25) {
        ("trapezoidal rule", String::new())
    } else if is(0.0, 0.5, 0.0) {
        let row = "explicit Euler in the rate, with the attitude turned by W₀ + hα₀/2";
        (row, String::new())
    } else if close(p + q, 0.5) {
        let (beta, gamma) = (spell(q, tolerance), spell(gamma, tolerance));
        ("Newmark's rule", format!(", β = {beta}, γ = {gamma}"))
    } else if close(p, 1.0 - gamma) && close(q, gamma) {
        let theta = spell(gamma, tolerance);
        let numbers = format!(", θ = {theta}, turned by the new rate");
        ("θ rule in the rate", numbers)
    } else if close(p, (1.0 - gamma) * gamma) && close(q, gamma * gamma) {
        let theta = spell(gamma, tolerance);
        ("θ rule", format!(", θ = {theta}"))
    } else {
        return None;
    };
    Some(KnownName {
        row,
        text: format!("{row}{numbers}, {map}"),
    })
}

/// The name of a pair of rules.
pub(super) struct KnownName {
    /// Name of its row in the tables of rules.
    pub row: &'static str,
    /// The same with its numbers and the way of the turn.
    pub text: String,
}

/// What a pair of rules is called, where it has a name.
pub(super) fn known(rate: &Rule, attitude: &Rule, noise: f64) -> Option<KnownName> {
    let tolerance = reading(noise);
    if let Some(name) = two_point(rate, attitude, tolerance) {
        return Some(name);
    }
    let row = KNOWN.iter().find(|k| {
        rate.is(&k.rate, tolerance)
            && attitude.is(&k.attitude, tolerance)
            && k.form.map_or(
                matches!(
                    attitude.form,
                    Form::Turn(_) | Form::GramSchmidt | Form::QuaternionSum
                ),
                |f| f == attitude.form,
            )
    })?;
    let name = &*row.name;
    let text = match row.form {
        Some(_) => name.into(),
        None => format!("{name}, {}", form(attitude.form)),
    };
    Some(KnownName { row: name, text })
}

/// What a Runge–Kutta rule of the rate beside a rule of the attitude is called.
pub(super) fn split(rate: &EditedRule, attitude: &Rule, raw: bool, noise: f64) -> String {
    let turned = formula(attitude, noise);
    format!("rate by {}; {turned}", runge_kutta(rate, raw))
}

/// What inner steps are called.
pub(super) fn inner(Inner { law, rule }: &Inner) -> String {
    match law {
        InnerLaw::Number(n) => format!("{n} inner steps of {rule}"),
        InnerLaw::Size(s) => format!("inner steps of {} s of {rule}", spell_size(*s)),
    }
}

/// A time in its shortest decimals.
pub(super) fn spell_size(s: f64) -> String {
    let short = format!("{s:.9}");
    short.trim_end_matches('0').trim_end_matches('.').into()
}

/// All entries of a tableau that are not zero.
fn entries(t: &Tableau) -> String {
    let all = Place::all(t).into_iter().filter_map(|p| {
        let x = p.value(t);
        let single = !matches!(p, Place::Weights(..)) && x != 0.0;
        single.then(|| format!("{p} = {}", spell(x, 1e-7)))
    });
    format!(", with {}", all.collect::<Vec<_>>().join(", "))
}

/// Weights, and the rule whose they are, if it has a name.
pub(super) fn weights(b: &[f64; tableau::STAGES]) -> String {
    let same = |t: &Tableau| t.b.iter().zip(b).all(|(x, y)| (x - y).abs() < FITTED);
    let used = b.iter().rposition(|x| *x != 0.0).map_or(0, |last| last + 1);
    let all: Vec<String> = b[..used].iter().map(|x| spell(*x, 1e-7)).collect();
    let of = tableau::named().into_iter().find(same);
    let of = of.map_or(String::new(), |t| format!(", those of {}", t.name));
    format!("({}){of}", all.join(", "))
}

/// Returns which number of the state is not moved, and where.
pub(super) fn kept_number(kept: &KeptNumber) -> String {
    let number = ["qw", "qx", "qy", "qz"].get(kept.number).map_or_else(
        || format!("W{}", kept.number - RATE + 1),
        ToString::to_string,
    );
    match kept.stage {
        Some(stage) => format!("{number} in stage {} as it is at the start", stage + 1),
        None => format!("{number} in all stages as it is at the start"),
    }
}

/// What a Runge–Kutta rule is called.
pub(super) fn runge_kutta(rule: &EditedRule, raw: bool) -> String {
    let RungeKutta {
        tableau,
        carrier,
        held,
    } = rule.rule;
    let carrier = if raw {
        carrier.name_of_raw()
    } else {
        carrier.name()
    };
    let mut out = format!("{} on {carrier}", tableau.name);
    match rule.edit {
        Some(Edit::Moved { row, from, to }) => {
            out += &format!(", with a{row}{from} in the place of a{row}{to}");
        }
        Some(Edit::Rows([i, j])) => {
            out += &format!(", with rows {i} and {j} of A exchanged");
        }
        Some(Edit::Accumulated) => out += ", whose stages begin at those before",
        Some(Edit::Reused { stage }) => {
            out += &format!(", whose first slope is that of stage {stage} of the step before");
        }
        Some(Edit::Kept(kept)) => out += &format!(", with {}", kept_number(&kept)),
        Some(Edit::Changed { place, was, is }) => {
            out += &format!(
                ", with {place} = {} instead of {}",
                spell(is, 1e-8),
                spell(was, 1e-8)
            );
        }
        Some(Edit::Twice(both)) => {
            let one = |(place, was, is): (Place, f64, f64)| {
                format!(
                    "{place} = {} instead of {}",
                    spell(is, 1e-7),
                    spell(was, 1e-7)
                )
            };
            out += &format!(", with {}", both.map(one).join(" and "));
        }
        Some(Edit::Weights(b)) => out += &format!(", with the weights {}", weights(&b)),
        Some(Edit::Unnamed) => out += &entries(&tableau),
        None => {}
    }
    out + held.name()
}
