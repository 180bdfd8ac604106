use super::*;
use topsim_case::builtin;

fn problem(name: &str) -> Problem {
    Problem::read(&builtin::find(name).unwrap().source()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn solvers_are_models_with_names_of_their_own() {
    let solvers = solvers();
    for (i, solver) in solvers.iter().enumerate() {
        assert!(solver.model.clone().checked().is_ok(), "{}", solver.name);
        assert!(
            solvers[..i].iter().all(|s| s.name != solver.name),
            "{}",
            solver.name
        );
    }
}

#[test]
fn right_solvers_agree_and_wrong_ones_differ_where_they_act() {
    let top = histories(&problem("judge_top")).unwrap();
    let exact = top
        .iter()
        .find(|h| h.solver.name == "the exact motion")
        .unwrap();
    for right in top.iter().filter(|h| h.solver.is_right) {
        let last = |h: &GateHistories| h.steps.last().unwrap().rows.last().unwrap().1;
        let off = so3::angle_between(&last(right).att, &last(exact).att);
        assert!(off < 1e-4, "{}: {off}", right.solver.name);
    }
    assert_eq!(top.iter().filter(|h| !h.solver.is_right).count(), 40);
    // Torques do not act on a free body.
    let free = histories(&problem("judge_free")).unwrap();
    assert!(free.len() < top.len());
    assert!(!free.iter().any(|h| h.solver.name.contains("torques")));
    // Rows are written and steps are in order, the longest first.
    let text = csv(&top[0].steps[0]);
    assert!(text.starts_with("t,qw,qx,qy,qz,W1,W2,W3\n0.0,"), "{text}");
    assert!(top[0].steps.windows(2).all(|s| s[0].step > s[1].step));
}

#[test]
fn a_score_counts_both_mistakes_and_what_was_not_answered() {
    use GateVerdict::{Accepted, Rejected, TimeLimit};
    let score = |answers: &[(bool, GateVerdict)]| {
        let answer = |&(is_right, verdict)| GateAnswer {
            solver: String::new(),
            is_right,
            verdict,
            said: String::new(),
        };
        let answers = answers.iter().map(answer).collect();
        let score = GateScore { answers };
        let mistakes = score.mistakes().count();
        (score.rejected(), score.accepts_right(), mistakes)
    };
    let both = [(true, Accepted), (false, Rejected), (false, Accepted)];
    assert_eq!(score(&both), (0.5, true, 1));
    assert_eq!(score(&[(true, Rejected)]), (1.0, false, 1));
    let silent = [(true, TimeLimit), (false, TimeLimit), (false, Rejected)];
    assert_eq!(score(&silent), (0.5, false, 2));
}
