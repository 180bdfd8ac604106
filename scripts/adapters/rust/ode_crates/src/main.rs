//! Crates for ordinary differential equations as a solver for `topsim judge`: peroxide, differential-equations, ode_solvers and diffsol
//! on the equations of a body, as a quaternion and the rate in the body frame.
//!
//! `topsim judge --all --solver "scripts/adapters/.venv/rust/release/ode_crates --setting peroxide_gl4"`
//!
//! Rules with an error estimate are given no tolerance and steps of h, so that their order shows, unless the setting says otherwise.

use differential_equations::prelude::ImplicitRungeKutta;
use differential_equations::prelude::{
    AdamsPredictorCorrector, DiagonallyImplicitRungeKutta, ExplicitRungeKutta, IVP, ODE,
};
use diffsol::{MatrixCommon, NalgebraMat, OdeBuilder, OdeSolverMethod};
use driver::setting;
use ode_solvers::{Dop853, Dopri5, Rk4, SVector, System};
use peroxide::fuga::{
    BS23, DP45, GL4, ImplicitSolver, ODEIntegrator, ODEProblem, RALS3, RALS4, RK4, RK5, RKF45,
    RKF78, TSIT45,
};
use topsim_solver::{Problem, Unanswered, cross, product, skip, times};

/// Quaternion and rate in the body frame.
type State = [f64; 7];

/// Tolerance under which no step is refused, of rules that are to make steps of h.
const NO_TOLERANCE: f64 = 1e300;
/// Tolerance of the settings that choose their steps.
const TOLERANCE: f64 = 1e-9;
/// Tolerance of the iterations of implicit rules, and their largest number.
const ITERATION: (f64, usize) = (1e-14, 100);

const SETTINGS: [(&str, &str); 33] = [
    ("peroxide_rk4", "peroxide's RK4, steps of h"),
    ("peroxide_rals3", "peroxide's RALS3, steps of h"),
    ("peroxide_rals4", "peroxide's RALS4, steps of h"),
    ("peroxide_rk5", "peroxide's RK5, steps of h"),
    ("peroxide_bs23", "peroxide's BS23, steps of h"),
    ("peroxide_rkf45", "peroxide's RKF45, steps of h"),
    ("peroxide_dp45", "peroxide's DP45, steps of h"),
    ("peroxide_tsit45", "peroxide's TSIT45, steps of h"),
    ("peroxide_rkf78", "peroxide's RKF78, steps of h"),
    (
        "peroxide_gl4",
        "peroxide's GL4, fixed-point iteration to 1e-14",
    ),
    (
        "peroxide_gl4_broyden",
        "peroxide's GL4, Broyden's iteration to 1e-14",
    ),
    ("de_euler", "differential-equations' euler"),
    ("de_midpoint", "differential-equations' midpoint"),
    ("de_heun", "differential-equations' heun"),
    ("de_ralston", "differential-equations' ralston"),
    ("de_ssp_rk3", "differential-equations' ssp_rk3"),
    ("de_rk4", "differential-equations' rk4"),
    ("de_three_eighths", "differential-equations' three_eighths"),
    (
        "de_backward_euler",
        "differential-equations' backward_euler",
    ),
    ("de_trapezoidal", "differential-equations' trapezoidal"),
    (
        "de_crank_nicolson",
        "differential-equations' crank_nicolson",
    ),
    (
        "de_esdirk33",
        "differential-equations' esdirk33, its Newton iteration to 1e-13",
    ),
    (
        "de_gauss_4",
        "differential-equations' gauss_legendre_4, steps of h, its Newton iteration to 1e-13",
    ),
    (
        "de_gauss_6",
        "differential-equations' gauss_legendre_6, steps of h, its Newton iteration to 1e-13",
    ),
    (
        "de_gauss_6_default",
        "differential-equations' gauss_legendre_6, steps of h, its Newton iteration as it comes",
    ),
    (
        "de_adams_4",
        "differential-equations' AdamsPredictorCorrector::f4",
    ),
    ("de_rkf45", "differential-equations' rkf45, steps of h"),
    ("de_dopri5", "differential-equations' dopri5, steps of h"),
    (
        "de_dopri5_tolerance",
        "differential-equations' dopri5, tolerance 1e-9",
    ),
    ("ode_solvers_rk4", "ode_solvers' Rk4"),
    ("ode_solvers_dopri5", "ode_solvers' Dopri5, tolerance 1e-9"),
    ("ode_solvers_dop853", "ode_solvers' Dop853, tolerance 1e-9"),
    ("diffsol_tsit45", "diffsol's tsit45, tolerance 1e-9"),
];

/// The equations of motion, which every crate gets in its own form.
struct Equations<'a>(&'a Problem);

impl Equations<'_> {
    fn slope(&self, t: f64, y: &State) -> State {
        let [q0, q1, q2, q3, w @ ..] = *y;
        let q = [q0, q1, q2, q3];
        let turn = product(q, [0.0, w[0], w[1], w[2]]);
        let (gyroscopic, torque) = (
            cross(times(&self.0.inertia, w), w),
            self.0.torque.at(t, q, w),
        );
        let moment = [0, 1, 2].map(|i| gyroscopic[i] + torque[i]);
        let rate = times(&self.0.inertia_inverse, moment);
        [
            turn[0] / 2.0,
            turn[1] / 2.0,
            turn[2] / 2.0,
            turn[3] / 2.0,
            rate[0],
            rate[1],
            rate[2],
        ]
    }
}

impl ODEProblem for Equations<'_> {
    fn rhs(&self, t: f64, y: &[f64], dy: &mut [f64]) -> anyhow::Result<()> {
        dy.copy_from_slice(&self.slope(t, &state(y)));
        Ok(())
    }
}

impl ODE<f64, State> for Equations<'_> {
    fn diff(&self, t: f64, y: &State, dydt: &mut State) {
        *dydt = self.slope(t, y);
    }
}

impl System<f64, SVector<f64, 7>> for Equations<'_> {
    fn system(&self, t: f64, y: &SVector<f64, 7>, dy: &mut SVector<f64, 7>) {
        *dy = SVector::from(self.slope(t, &state(y.as_slice())));
    }
}

fn state(y: &[f64]) -> State {
    std::array::from_fn(|i| y[i])
}

/// Returns the states at the times of the rows.
type Run = fn(&Problem, State) -> Result<Vec<State>, Unanswered>;

/// Steps of h by a rule of peroxide, without normalisation, as its solver makes them.
fn peroxide(
    problem: &Problem,
    start: State,
    rule: impl ODEIntegrator,
) -> Result<Vec<State>, Unanswered> {
    let (equations, mut y, mut n) = (Equations(problem), start, 0);
    let row = |&t: &f64| {
        while n < problem.step_of(t) {
            rule.step(&equations, problem.time(n), &mut y, problem.step)
                .map_err(|error| skip(error.to_string()))?;
            n += 1;
        }
        Ok(y)
    };
    problem.times.iter().map(row).collect()
}

/// A rule of differential-equations. The run ends a step after the last row: at the end itself `t_eval` may leave out that row.
macro_rules! differential {
    ($rule:expr) => {
        |problem, start| {
            let end =
                problem.time(problem.step_of(*problem.times.last().unwrap_or(&problem.start)) + 1);
            let rule = ($rule)(problem.step);
            let solved = IVP::ode(&Equations(problem), problem.start, end, start)
                .method(rule)
                .t_eval(&problem.times)
                .solve();
            let solution = solved.map_err(|error| skip(format!("{error:?}")))?;
            Ok(solution.y)
        }
    };
}

/// A solver of ode_solvers that has been run with an output at each step.
macro_rules! every_step {
    ($solver:expr) => {
        |problem, start| {
            let last = problem.step_of(*problem.times.last().unwrap_or(&problem.start));
            let y = SVector::from(start);
            let mut solver = ($solver)(problem, problem.start, problem.time(last), y, problem.step);
            solver
                .integrate()
                .map_err(|error| skip(error.to_string()))?;
            let rows = problem
                .times
                .iter()
                .map(|&t| solver.y_out().get(problem.step_of(t) as usize));
            rows.map(|y| {
                y.map(|y| state(y.as_slice()))
                    .ok_or_else(|| skip("a row is missing"))
            })
            .collect()
        }
    };
}

/// The method tsit45 of diffsol.
fn diffsol(problem: &Problem, start: State) -> Result<Vec<State>, Unanswered> {
    let failed = |error: diffsol::error::DiffsolError| skip(error.to_string());
    let equations = OdeBuilder::<NalgebraMat<f64>>::new()
        .t0(problem.start)
        .rtol(TOLERANCE)
        .atol([TOLERANCE])
        .rhs(|y, _p, t, slope| {
            let known = Equations(problem).slope(t, &std::array::from_fn(|i| y[i]));
            (0..known.len()).for_each(|i| slope[i] = known[i]);
        })
        .init(
            |_p, _t, y| (0..start.len()).for_each(|i| y[i] = start[i]),
            start.len(),
        )
        .build()
        .map_err(failed)?;
    let mut solver = equations.tsit45().map_err(failed)?;
    let (solved, _) = solver.solve_dense(&problem.times).map_err(failed)?;
    Ok((0..problem.times.len())
        .map(|row| std::array::from_fn(|i| solved.inner()[(i, row)]))
        .collect())
}

fn rule(name: &str) -> Run {
    match name {
        "peroxide_rk4" => |p, y| peroxide(p, y, RK4),
        "peroxide_rals3" => |p, y| peroxide(p, y, RALS3),
        "peroxide_rals4" => |p, y| peroxide(p, y, RALS4),
        "peroxide_rk5" => |p, y| peroxide(p, y, RK5),
        "peroxide_bs23" => |p, y| peroxide(p, y, BS23::new(NO_TOLERANCE, 1.0, p.step, p.step, 1)),
        "peroxide_rkf45" => |p, y| peroxide(p, y, RKF45::new(NO_TOLERANCE, 1.0, p.step, p.step, 1)),
        "peroxide_dp45" => |p, y| peroxide(p, y, DP45::new(NO_TOLERANCE, 1.0, p.step, p.step, 1)),
        "peroxide_tsit45" => {
            |p, y| peroxide(p, y, TSIT45::new(NO_TOLERANCE, 1.0, p.step, p.step, 1))
        }
        "peroxide_rkf78" => |p, y| peroxide(p, y, RKF78::new(NO_TOLERANCE, 1.0, p.step, p.step, 1)),
        "peroxide_gl4" => |p, y| {
            peroxide(
                p,
                y,
                GL4::new(ImplicitSolver::FixedPoint, ITERATION.0, ITERATION.1),
            )
        },
        "peroxide_gl4_broyden" => |p, y| {
            peroxide(
                p,
                y,
                GL4::new(ImplicitSolver::Broyden, ITERATION.0, ITERATION.1),
            )
        },
        "de_euler" => differential!(ExplicitRungeKutta::euler),
        "de_midpoint" => differential!(ExplicitRungeKutta::midpoint),
        "de_heun" => differential!(ExplicitRungeKutta::heun),
        "de_ralston" => differential!(ExplicitRungeKutta::ralston),
        "de_ssp_rk3" => differential!(ExplicitRungeKutta::ssp_rk3),
        "de_rk4" => differential!(ExplicitRungeKutta::rk4),
        "de_three_eighths" => differential!(ExplicitRungeKutta::three_eighths),
        "de_backward_euler" => {
            differential!(|h| ImplicitRungeKutta::backward_euler(h).newton_tol(1e-13))
        }
        "de_trapezoidal" => differential!(|h| ImplicitRungeKutta::trapezoidal(h).newton_tol(1e-13)),
        "de_crank_nicolson" => {
            differential!(|h| ImplicitRungeKutta::crank_nicolson(h).newton_tol(1e-13))
        }
        "de_esdirk33" => {
            differential!(|h| DiagonallyImplicitRungeKutta::esdirk33(h).newton_tol(1e-13))
        }
        "de_gauss_4" => differential!(|h| ImplicitRungeKutta::gauss_legendre_4()
            .rtol(NO_TOLERANCE)
            .atol(NO_TOLERANCE)
            .h0(h)
            .h_max(h)
            .newton_tol(1e-13)),
        "de_gauss_6" => differential!(|h| ImplicitRungeKutta::gauss_legendre_6()
            .rtol(NO_TOLERANCE)
            .atol(NO_TOLERANCE)
            .h0(h)
            .h_max(h)
            .newton_tol(1e-13)),
        "de_gauss_6_default" => differential!(|h| ImplicitRungeKutta::gauss_legendre_6()
            .rtol(NO_TOLERANCE)
            .atol(NO_TOLERANCE)
            .h0(h)
            .h_max(h)),
        "de_adams_4" => differential!(AdamsPredictorCorrector::f4),
        "de_rkf45" => differential!(|h| ExplicitRungeKutta::rkf45()
            .rtol(NO_TOLERANCE)
            .atol(NO_TOLERANCE)
            .h0(h)
            .h_max(h)),
        "de_dopri5" => differential!(|h| ExplicitRungeKutta::dopri5()
            .rtol(NO_TOLERANCE)
            .atol(NO_TOLERANCE)
            .h0(h)
            .h_max(h)),
        "de_dopri5_tolerance" => {
            differential!(|_| ExplicitRungeKutta::dopri5().rtol(TOLERANCE).atol(TOLERANCE))
        }
        "ode_solvers_rk4" => every_step!(|p, t, end, y, h| Rk4::new(Equations(p), t, y, end, h)),
        "ode_solvers_dopri5" => {
            every_step!(|p, t, end, y, h| Dopri5::new(
                Equations(p),
                t,
                end,
                h,
                y,
                TOLERANCE,
                TOLERANCE
            ))
        }
        "ode_solvers_dop853" => {
            every_step!(|p, t, end, y, h| Dop853::new(
                Equations(p),
                t,
                end,
                h,
                y,
                TOLERANCE,
                TOLERANCE
            ))
        }
        _ => diffsol,
    }
}

fn main() {
    let versions =
        "peroxide 0.43.1, differential-equations 0.7.0, ode_solvers 0.6.2, diffsol 0.18.0";
    let run = rule(setting(versions, &SETTINGS));
    topsim_solver::answer(|problem, rows| {
        let ([a, b, c, d], [x, y, z]) = (problem.quaternion, problem.rate);
        let states = run(problem, [a, b, c, d, x, y, z])?;
        for (&t, [a, b, c, d, x, y, z]) in problem.times.iter().zip(states) {
            rows.write(problem.time(problem.step_of(t)), [a, b, c, d], [x, y, z]);
        }
        Ok(())
    });
}
