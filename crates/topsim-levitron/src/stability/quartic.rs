//! Roots of real polynomials of degree four.

use topsim_core::math::scalar;

/// A complex number.
pub type Complex = nalgebra::Complex<f64>;

/// Coefficients from the constant term up; the last one is not 0.
pub type Quartic = [f64; 5];

/// Largest number of sweeps of the simultaneous iteration, which takes about 20 for separate roots.
const SWEEPS: usize = 300;

/// Returns all four roots, each as often as it counts; complex ones as exact conjugates, real ones with an
/// imaginary part of exactly 0.
///
/// Simultaneous iteration of Aberth & Ehrlich from a circle around all roots. How many roots are
/// real is counted apart from it, by [`real_roots`]; those nearest to the real axis are then taken
/// for them and improved there by Newton's method. Separate roots come within a few round-offs of
/// their condition.
pub fn roots(p: &Quartic) -> [Complex; 4] {
    let mut z = aberth(p);
    z.sort_by(|a, b| a.im.abs().total_cmp(&b.im.abs()));
    // A multiple root counts once there.
    let real = 2 * real_roots(p).div_ceil(2);
    for r in &mut z[..real] {
        *r = Complex::new(polish(p, r.re), 0.0);
    }
    let mut above: Vec<Complex> = z[real..].to_vec();
    above.sort_by(|a, b| b.im.total_cmp(&a.im));
    for (k, r) in above.iter().take((4 - real) / 2).enumerate() {
        let im = r.im.abs();
        z[real + 2 * k] = Complex::new(r.re, im);
        z[real + 2 * k + 1] = Complex::new(r.re, -im);
    }
    z
}

/// Counts the different real roots by Sturm's theorem. Roots that differ by less than about
/// the square root of the round-off may count as one, as two, or as a complex pair.
pub fn real_roots(p: &Quartic) -> usize {
    let mut chain = vec![normal(p.to_vec())];
    let slope: Vec<f64> = (1..5).map(|k| k as f64 * p[k]).collect();
    let mut next = normal(slope);
    while next.len() > 1 {
        let rest = remainder(&chain[chain.len() - 1], &next);
        chain.push(next);
        next = normal(rest.into_iter().map(|x| -x).collect());
    }
    if !next.is_empty() {
        chain.push(next);
    }
    let changes = |signs: Vec<bool>| signs.windows(2).filter(|w| w[0] != w[1]).count();
    let leading = |q: &Vec<f64>| q[q.len() - 1] < 0.0;
    let left = changes(
        chain
            .iter()
            .map(|q| leading(q) != (q.len() % 2 == 0))
            .collect(),
    );
    left - changes(chain.iter().map(leading).collect())
}

/// Returns the polynomial without leading zeros, with a largest coefficient of ±1.
fn normal(mut p: Vec<f64>) -> Vec<f64> {
    while p.last() == Some(&0.0) {
        p.pop();
    }
    let size = p.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    p.iter_mut().for_each(|x| *x /= size);
    p
}

/// Returns the remainder of `a` divided by `b`; a coefficient that is not above the round-off of its own
/// terms is 0.
fn remainder(a: &[f64], b: &[f64]) -> Vec<f64> {
    let (mut r, low) = (a.to_vec(), b.len() - 1);
    let mut terms: Vec<f64> = r.iter().map(|x| x.abs()).collect();
    for i in (low..a.len()).rev() {
        let f = r[i] / b[low];
        for k in 0..=low {
            r[i - low + k] -= f * b[k];
            terms[i - low + k] += (f * b[k]).abs();
        }
    }
    r.truncate(low);
    for (x, size) in r.iter_mut().zip(terms) {
        if x.abs() <= 4.0 * f64::EPSILON * size {
            *x = 0.0;
        }
    }
    r
}

/// Returns the value and the slope.
fn at(p: &Quartic, z: Complex) -> (Complex, Complex) {
    let (mut f, mut slope) = (Complex::new(p[4], 0.0), Complex::new(0.0, 0.0));
    for k in (0..4).rev() {
        slope = slope * z + f;
        f = f * z + p[k];
    }
    (f, slope)
}

fn aberth(p: &Quartic) -> [Complex; 4] {
    // Fujiwara's bound.
    let around = (1..5).fold(0.0_f64, |m, k| {
        m.max(scalar::powf((p[4 - k] / p[4]).abs(), 1.0 / k as f64))
    });
    let around = (2.0 * around).max(f64::MIN_POSITIVE);
    let mut z = [0, 1, 2, 3].map(|k| {
        let (s, c) = scalar::sincos(0.7 + 1.6 * f64::from(k));
        Complex::new(around * c, around * s)
    });
    for _ in 0..SWEEPS {
        let mut done = true;
        for k in 0..4 {
            let (f, slope) = at(p, z[k]);
            if f == Complex::new(0.0, 0.0) {
                continue;
            }
            let pull: Complex = (0..4)
                .filter(|j| *j != k && z[*j] != z[k])
                .map(|j| Complex::new(1.0, 0.0) / (z[k] - z[j]))
                .sum();
            let step = f / (slope - f * pull);
            if !(step.re.is_finite() && step.im.is_finite()) {
                continue;
            }
            z[k] -= step;
            done &= step.norm_sqr() <= (f64::EPSILON * f64::EPSILON) * z[k].norm_sqr();
        }
        if done {
            break;
        }
    }
    z
}

/// Improves a real root by Newton's method as long as the value falls.
fn polish(p: &Quartic, mut x: f64) -> f64 {
    let value = |x: f64| at(p, Complex::new(x, 0.0));
    let (mut f, mut slope) = value(x);
    for _ in 0..8 {
        let next = x - f.re / slope.re;
        let (g, s) = value(next);
        if !(g.re.abs() < f.re.abs()) {
            break;
        }
        (x, f, slope) = (next, g, s);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The monic quartic with these roots.
    fn with(roots: [Complex; 4]) -> Quartic {
        let mut p = vec![Complex::new(1.0, 0.0)];
        for r in roots {
            let mut q = vec![Complex::new(0.0, 0.0); p.len() + 1];
            for (k, c) in p.iter().enumerate() {
                q[k + 1] += c;
                q[k] -= c * r;
            }
            p = q;
        }
        [0, 1, 2, 3, 4].map(|k| p[k].re)
    }

    fn near(found: [Complex; 4], mut wanted: Vec<Complex>, tolerance: f64) {
        for z in found {
            let (i, off) = wanted
                .iter()
                .map(|w| (w - z).norm_sqr().sqrt())
                .enumerate()
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .unwrap();
            assert!(off <= tolerance, "{z} is off by {off:e}");
            wanted.remove(i);
        }
    }

    #[test]
    fn kinds_of_roots_are_told_apart() {
        let c = Complex::new;
        for (r, real) in [
            ([c(-1.0, 0.0), c(2.0, 0.0), c(3.0, 0.0), c(40.0, 0.0)], 4),
            ([c(-1.0, 0.0), c(2.0, 0.0), c(3.0, 1.0), c(3.0, -1.0)], 2),
            ([c(0.1, 2.0), c(0.1, -2.0), c(3.0, 1.0), c(3.0, -1.0)], 0),
            ([c(1.0, 0.0), c(-1.0, 0.0), c(0.0, 1.0), c(0.0, -1.0)], 2),
            ([c(1.0, 1.0), c(1.0, -1.0), c(-1.0, 1.0), c(-1.0, -1.0)], 0),
            // The roots lie near the axis, on one side of it or on it.
            ([c(1.0, 1e-5), c(1.0, -1e-5), c(5.0, 0.0), c(-2.0, 0.0)], 2),
            (
                [c(1.0, 0.0), c(1.0 + 1e-5, 0.0), c(5.0, 0.0), c(-2.0, 0.0)],
                4,
            ),
            ([c(0.0, 0.0), c(1e-3, 0.0), c(1.0, 0.0), c(1e3, 0.0)], 4),
        ] {
            let p = with(r);
            assert_eq!(real_roots(&p), real, "{r:?}");
            let found = roots(&p);
            assert_eq!(found.iter().filter(|z| z.im == 0.0).count(), real, "{r:?}");
            near(found, r.to_vec(), 1e-9);
        }
    }

    /// Round-off decides how a double root counts; it is found twice, to half of the digits.
    #[test]
    fn multiple_roots() {
        let c = Complex::new;
        let p = with([c(1.0, 0.0), c(1.0, 0.0), c(3.0, 0.0), c(4.0, 0.0)]);
        assert!((2..=4).contains(&real_roots(&p)));
        near(
            roots(&p),
            vec![c(1.0, 0.0), c(1.0, 0.0), c(3.0, 0.0), c(4.0, 0.0)],
            1e-6,
        );
    }

    proptest! {
        #[test]
        fn roots_come_back(
            a in -10.0..10.0_f64, b in -10.0..10.0_f64, c in -10.0..10.0_f64, d in -10.0..10.0_f64,
            complex in 0..3_usize, scale in -3..3_i32,
        ) {
            let s = 10.0_f64.powi(scale);
            let z = |re: f64, im: f64| Complex::new(re * s, im * s);
            let wanted = match complex {
                0 => [z(a, 0.0), z(b, 0.0), z(c, 0.0), z(d, 0.0)],
                1 => [z(a, 0.0), z(b, 0.0), z(c, d), z(c, -d)],
                _ => [z(a, b), z(a, -b), z(c, d), z(c, -d)],
            };
            let mut gap = f64::INFINITY;
            for i in 0..4 {
                for j in 0..i {
                    gap = gap.min((wanted[i] - wanted[j]).norm_sqr().sqrt());
                }
            }
            prop_assume!(gap > 0.2 * s);
            let p = with(wanted);
            prop_assert_eq!(real_roots(&p), 4 - 2 * complex);
            near(roots(&p), wanted.to_vec(), 1e-9 * s);
        }
    }
}
