//! Parts that the adapters in Rust share: the arguments, and the steps of an engine that is given a body in principal axes.

use topsim_solver::{Quaternion, Torque, Vec3, product, to_body, to_space};

/// Returns the setting that `--setting NAME` asks for, or the first one. With `--settings` it prints the version and all settings
/// as JSON, and with wrong arguments a message; both end the program.
pub fn setting(version: &str, settings: &[(&'static str, &str)]) -> &'static str {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => settings[0].0,
        ["--setting", name] => match settings.iter().find(|(known, _)| known == name) {
            Some((known, _)) => known,
            None => refuse(&format!("no setting {name}; there are {}", names(settings))),
        },
        ["--settings"] => {
            let each: Vec<String> = settings
                .iter()
                .map(|(name, what)| format!("{name:?}: {what:?}"))
                .collect();
            println!(
                "{{\"version\": {version:?}, \"settings\": {{{}}}}}",
                each.join(", ")
            );
            std::process::exit(0)
        }
        _ => refuse(&format!(
            "the arguments are --settings, or --setting with one of {}",
            names(settings)
        )),
    }
}

fn names(settings: &[(&'static str, &str)]) -> String {
    settings
        .iter()
        .map(|(name, _)| *name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Ends the program with a message and the status of wrong usage.
pub fn refuse(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2)
}

/// Body of an engine, in its principal axes; rates and torques are in space.
pub trait Body {
    /// Makes one step under a torque that acts during all of it.
    fn step(&mut self, torque: Option<Vec3>);
    /// Returns the attitude of the principal axes and the angular velocity.
    fn get(&self) -> (Quaternion, Vec3);
}

/// Answers all problems by bodies that `make` makes from the principal moments, the attitude of the principal axes, the rate in
/// space and the step. A torque is put on once a step, at the state of its start.
pub fn drive<B: Body>(make: impl Fn(Vec3, Quaternion, Vec3, f64) -> B) {
    topsim_solver::answer(|problem, rows| {
        let [w, x, y, z] = problem.axes;
        let start = product(problem.quaternion, problem.axes);
        let mut body = make(
            problem.moments,
            start,
            to_space(problem.quaternion, problem.rate),
            problem.step,
        );
        let mut n = 0;
        for &t in &problem.times {
            while n < problem.step_of(t) {
                let torque = (!matches!(problem.torque, Torque::None)).then(|| {
                    let (turned, rate) = body.get();
                    let q = product(turned, [w, -x, -y, -z]);
                    to_space(q, problem.torque.at(problem.time(n), q, to_body(q, rate)))
                });
                body.step(torque);
                n += 1;
            }
            let (q, rate) = body.get();
            rows.write_principal(problem, problem.time(n), q, rate);
        }
        Ok(())
    });
}
