use super::*;
use topsim_core::schemes::{Claims, Described, RigImp};

const GOOD: Card = Card {
    info: SchemeInfo {
        claims: Claims {
            order: 2,
            reversible: true,
            symplectic: false,
            energy: Energy::Gains(3),
            momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1),
        },
        ..RigImp::INFO
    },
    measured: Measurements {
        order: Some(1.99),
        free_order: Some(4.2),
        free_error: Some(1e-4),
        irreversibility: Some(1e-14),
        symplectic_defect: Some(1e-3),
        energy: EnergyBehaviour::Gains { power: 3.1 },
        momentum: Some(1e-15),
        vertical_momentum: Some(1e-15),
        momentum_growth: Some([0.5, 0.03]),
        spin_phase: Some(0.1),
        torque_evaluations: Some(1.0),
        iterations: Some(0.0),
        largest_step: Some(0.1),
        limit: None,
        nanoseconds: None,
        relations: Vec::new(),
    },
};

#[test]
fn statements_of_the_literature_can_be_refuted() {
    assert!(GOOD.holds(StatementKind::FreeOrder(4)) && !GOOD.holds(StatementKind::FreeOrder(6)));
    assert!(!GOOD.holds(StatementKind::FreeMotionExact));
    assert!(!GOOD.holds(StatementKind::KeepsEnergy));
    let mut card = GOOD.clone();
    (card.measured.free_error, card.measured.free_order) = (Some(1e-14), None);
    card.measured.energy = EnergyBehaviour::Bounded;
    assert!(card.holds(StatementKind::FreeMotionExact) && card.holds(StatementKind::KeepsEnergy));
    assert!(!card.holds(StatementKind::FreeOrder(4)));
}

#[test]
fn every_claim_can_be_refuted() {
    assert!(GOOD.disagreements().is_empty());
    let refuted = |change: fn(&mut Card)| {
        let mut card = GOOD.clone();
        change(&mut card);
        card.disagreements()
    };
    assert_eq!(refuted(|c| c.measured.order = Some(1.94)), ["order"]);
    assert_eq!(refuted(|c| c.measured.order = Some(f64::NAN)), ["order"]);
    assert_eq!(refuted(|c| c.measured.order = Some(2.9)), ["order"]);
    for (order, agrees) in [(2.9, true), (1.9, false), (3.1, false)] {
        let mut card = GOOD.clone();
        (card.info.processed, card.measured.order) = (true, Some(order));
        assert_eq!(card.disagreements().is_empty(), agrees, "{order}");
    }
    assert_eq!(
        refuted(|c| c.info.claims.reversible = false),
        ["reversible"]
    );
    assert_eq!(
        refuted(|c| c.measured.irreversibility = Some(1e-9)),
        ["reversible"]
    );
    assert_eq!(refuted(|c| c.info.claims.symplectic = true), ["symplectic"]);
    assert_eq!(
        refuted(|c| c.measured.symplectic_defect = Some(1e-13)),
        ["symplectic"]
    );
    for energy in [
        Energy::Exact,
        Energy::Bounded,
        Energy::Loses(3),
        Energy::Gains(4),
    ] {
        let mut card = GOOD.clone();
        card.info.claims.energy = energy;
        assert_eq!(card.disagreements(), ["energy"]);
    }
    assert_eq!(
        refuted(|c| c.measured.vertical_momentum = Some(1e-9)),
        ["momentum"]
    );
    assert_eq!(
        refuted(|c| c.info.claims.momentum = Momentum::Approximate),
        ["momentum"]
    );
    assert_eq!(
        refuted(|c| c.measured.torque_evaluations = Some(2.0)),
        ["torque evaluations"]
    );
    assert_eq!(
        refuted(|c| c.info.claims.torque_evaluations = Evaluations::EachIteration(1)),
        [] as [&str; 0],
        "one evaluation and no iteration fits both"
    );
    let broken = RelationResult {
        relation: Relation::Mirror,
        held: Exactness::NotShown,
    };
    let mut card = GOOD.clone();
    card.measured.relations.push(broken);
    assert_eq!(card.disagreements(), ["relations"]);
    assert_eq!(
        refuted(|c| c.measured.symplectic_defect = None),
        ["symplectic"]
    );
}
