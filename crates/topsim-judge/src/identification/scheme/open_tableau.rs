//! The whole tableau of a Runge–Kutta rule that has no name: the times at which the torque is read are its c and b, and few
//! numbers are left to be fitted.

use super::linear;
use super::questioner::Step;
use super::runge_kutta::{Edit, EditedRule, LONG, carriers};
use super::search::{Choice, Fitted, Search, fitted, misses};
use crate::thresholds::{CLEARLY, FITTED, SINGLE_DIGITS};
use topsim_model::stepping::Carrier;
use topsim_model::tableau::{self, Place, Tableau};

/// A tableau with open entries.
struct OpenTableau {
    c: Vec<f64>,
    b: Vec<f64>,
    /// Two stages of one time share its weight.
    shared: Option<(usize, usize)>,
}

impl OpenTableau {
    fn stages(&self) -> usize {
        self.c.len()
    }
    /// The tableau with these numbers; the first column is what is left of c.
    fn tableau(&self, x: &[f64]) -> Tableau {
        let s = self.stages();
        let mut out = Tableau::unnamed(s);
        out.b[..s].copy_from_slice(&self.b);
        let mut x = x.iter().copied();
        for i in 1..s {
            let mut left = self.c[i];
            for j in 1..i {
                out.a[i][j] = x.next().unwrap_or(0.0);
                left -= out.a[i][j];
            }
            out.a[i][0] = left;
        }
        if let Some((i, j)) = self.shared {
            let weight = x.next().unwrap_or(0.0);
            out.b[j] = self.b[i] - weight;
            out.b[i] = weight;
        }
        out
    }
    /// Numbers to begin with: each stage made with the one before it, or with all alike.
    fn starts(&self) -> [Vec<f64>; 2] {
        let weight = self.shared.map(|(i, _)| 0.5 * self.b[i]);
        [true, false].map(|last| {
            let mut x = Vec::new();
            for i in 2..self.stages() {
                for j in 1..i {
                    let share = if last {
                        f64::from(u8::from(j + 1 == i))
                    } else {
                        1.0 / i as f64
                    };
                    x.push(share * self.c[i]);
                }
            }
            x.extend(weight);
            x
        })
    }
}

/// All orders of the stages after the first, with one time doubled or none.
fn open(times: &[(f64, f64)]) -> Vec<OpenTableau> {
    let zero = |t: &&(f64, f64)| t.0.abs() < SINGLE_DIGITS;
    let first = times.iter().find(zero).map_or(0.0, |t| t.1);
    let others: Vec<(f64, f64)> = times.iter().filter(|t| !zero(t)).copied().collect();
    let mut out = Vec::new();
    let mut add = |others: &[(f64, f64)], doubled: Option<usize>| {
        for order in orders(others.len()) {
            let at = |i: usize| others[order[i]];
            let n = others.len();
            out.push(OpenTableau {
                c: core::iter::once(0.0)
                    .chain((0..n).map(|i| at(i).0))
                    .collect(),
                b: core::iter::once(first)
                    .chain((0..n).map(|i| at(i).1))
                    .collect(),
                shared: doubled.map(|d| {
                    let place = |k: usize| 1 + order.iter().position(|o| *o == k).unwrap_or(0);
                    (place(d), place(n - 1))
                }),
            });
        }
    };
    if others.len() <= 3 {
        add(&others, None);
    }
    if others.len() <= 2 {
        for d in 0..others.len() {
            let mut more = others.clone();
            more.push((others[d].0, 0.0));
            add(&more, Some(d));
        }
    }
    out
}

fn orders(n: usize) -> Vec<Vec<usize>> {
    match n {
        0 => vec![vec![]],
        1 => vec![vec![0]],
        2 => vec![vec![0, 1], vec![1, 0]],
        _ => vec![
            vec![0, 1, 2],
            vec![0, 2, 1],
            vec![1, 0, 2],
            vec![1, 2, 0],
            vec![2, 0, 1],
            vec![2, 1, 0],
        ],
    }
}

/// A rule with these times that explains the steps.
pub(super) fn seen(search: &Search, times: &[(f64, f64)]) -> Option<Choice<EditedRule>> {
    let few = &search.steps[..search.steps.len().min(4)];
    let search = search.looser(CLEARLY);
    let mut all = Vec::new();
    for open in open(times) {
        for carrier in carriers() {
            let mut starts = open.starts().into_iter();
            let make = |x: &[f64]| open.tableau(x);
            let Some(x) = starts.find_map(|start| fit(&make, carrier, few, start, search.accept))
            else {
                continue;
            };
            all.extend(accepted(&search, open.tableau(&x), carrier));
        }
    }
    // A rule that is nearly one with a name is told before one with more free numbers.
    let is_named = |(rule, _): &Fitted<EditedRule>| rule.edit != Some(Edit::Unnamed);
    if all.iter().any(is_named) {
        all.retain(is_named);
    }
    search.choose(all)
}

/// Returns a fitted tableau, with fractions for digits that mean them, where it explains the steps.
fn accepted(search: &Search, plain: Tableau, carrier: Carrier) -> Option<Fitted<EditedRule>> {
    let snapped =
        |v: f64| linear::fraction(v, 216, 1e-7).map_or(v, |(p, q)| p as f64 / f64::from(q));
    let mut simple = plain;
    simple.b = simple.b.map(snapped);
    for row in &mut simple.a {
        *row = row.map(snapped);
    }
    let rule = |t: Tableau| {
        let (tableau, edit) = named(t);
        search.accepted(EditedRule::plain(tableau, carrier).edited(edit))
    };
    rule(simple).or_else(|| rule(plain))
}

/// Steps to which a row or the weights of a named tableau are fitted.
const FEW: usize = 6;

/// A named tableau of which one row, or all weights, are other ones.
pub(super) fn near_named(search: &Search) -> Option<Choice<EditedRule>> {
    let every = (search.steps.len() / FEW).max(1);
    let few: Vec<Step> = search.steps.iter().step_by(every).cloned().collect();
    let mut all = Vec::new();
    for own in tableau::named().into_iter().filter(|t| t.stages > 2) {
        let s = own.stages;
        // Row s is that of the weights, of which the last makes the sum 1.
        for row in 2..=s {
            let free = if row == s { s - 1 } else { row };
            let make = |x: &[f64]| {
                let mut t = own;
                if row == s {
                    t.b[..free].copy_from_slice(x);
                    t.b[free] = 1.0 - x.iter().sum::<f64>();
                } else {
                    t.a[row][..free].copy_from_slice(x);
                }
                t
            };
            let start = match row == s {
                true => own.b[..free].to_vec(),
                false => own.a[row][..free].to_vec(),
            };
            for carrier in carriers().filter(|c| s <= LONG || c.is_usual()) {
                let x = fit(&make, carrier, &few, start.clone(), search.accept);
                let found = x.and_then(|x| accepted(search, make(&x), carrier));
                // More than two entries of a row that are other ones make another rule.
                all.extend(found.filter(|(rule, _)| rule.edit != Some(Edit::Unnamed)));
            }
        }
    }
    search.choose(all)
}

/// Returns the numbers of a tableau with which steps miss by no more than is accepted.
fn fit(
    make: &dyn Fn(&[f64]) -> Tableau,
    carrier: Carrier,
    steps: &[Step],
    x: Vec<f64>,
    accept: f64,
) -> Option<Vec<f64>> {
    let rule = |x: &[f64]| EditedRule::plain(make(x), carrier);
    fitted(&|x| misses(&rule(x), steps.iter()), x, accept)
}

/// The named tableau from which this one differs in two entries at most, or in its weights alone, else itself.
fn named(t: Tableau) -> (Tableau, Edit) {
    let near = |n: &Tableau| -> Option<Edit> {
        if n.stages != t.stages || n.stages < 3 {
            return None;
        }
        let differs: Vec<(Place, f64, f64)> = Place::all(n)
            .into_iter()
            .filter(|p| !matches!(p, Place::Weights(..)))
            .map(|p| (p, p.value(n), p.value(&t)))
            .filter(|(_, was, is)| (was - is).abs() > FITTED)
            .collect();
        let of_weights = |(place, ..): &(Place, f64, f64)| matches!(place, Place::Weight(_));
        let weights = differs.len() > 2 && differs.iter().all(of_weights);
        let twice = <[_; 2]>::try_from(differs).ok().map(Edit::Twice);
        twice.or(weights.then_some(Edit::Weights(t.b)))
    };
    let found = tableau::named().into_iter();
    let mut found = found.filter_map(|n| Some((n.name, near(&n)?)));
    match found.next() {
        Some((name, edit)) => (Tableau { name, ..t }, edit),
        None => (t, Edit::Unnamed),
    }
}
