// Simbody as a solver for `topsim judge`: a body in its own frame on a free joint or, for a top, a ball joint at the fixed point.
// The torque is a force element, which the integrator evaluates wherever it evaluates forces.
#include "driver.h"

#include <Simbody.h>
#include <memory>

using namespace SimTK;

class Torque : public Force::Custom::Implementation {
public:
    Torque(const topsim_problem& p, const MobilizedBody& body) : problem_(p), body_(body) {}
    void calcForce(const State& state, Vector_<SpatialVec>& forces, Vector_<Vec3>&, SimTK::Vector&) const override {
        const Rotation turned = body_.getBodyRotation(state);
        const Vec3 rate = ~turned * body_.getBodyAngularVelocity(state);
        double R[9], in_body[3];
        for (int i = 0; i < 9; ++i) R[i] = turned[i / 3][i % 3];
        topsim_torque_moving(&problem_, state.getTime(), R, &rate[0], in_body);
        body_.applyBodyTorque(state, turned * Vec3(in_body[0], in_body[1], in_body[2]), forces);
    }
    Real calcPotentialEnergy(const State&) const override { return 0; }

private:
    const topsim_problem& problem_;
    const MobilizedBody& body_;
};

struct Rule {
    std::string name, meaning;
    bool by_tolerance;
    std::unique_ptr<Integrator> (*make)(const System&, double h);
};

template <class Rule> std::unique_ptr<Integrator> fixed(const System& system, double h) {
    auto rule = std::make_unique<Rule>(system);
    rule->setFixedStepSize(h);
    return rule;
}

template <class Rule> std::unique_ptr<Integrator> free_steps(const System& system, double) {
    auto rule = std::make_unique<Rule>(system);
    rule->setAccuracy(1e-9);
    return rule;
}

static const Rule RULES[] = {
    {"merson", "RungeKuttaMersonIntegrator, steps of h", false, fixed<RungeKuttaMersonIntegrator>},
    {"merson_tolerance", "RungeKuttaMersonIntegrator, accuracy 1e-9", true, free_steps<RungeKuttaMersonIntegrator>},
    {"feldberg", "RungeKuttaFeldbergIntegrator, steps of h", false, fixed<RungeKuttaFeldbergIntegrator>},
    {"rk2", "RungeKutta2Integrator, steps of h", false, fixed<RungeKutta2Integrator>},
    {"rk3", "RungeKutta3Integrator, steps of h", false, fixed<RungeKutta3Integrator>},
    {"verlet", "VerletIntegrator, steps of h", false, fixed<VerletIntegrator>},
    {"explicit_euler", "ExplicitEulerIntegrator, steps of h", false, fixed<ExplicitEulerIntegrator>},
    {"semi_explicit_euler", "SemiExplicitEulerIntegrator of h", false,
     [](const System& system, double h) -> std::unique_ptr<Integrator> {
         return std::make_unique<SemiExplicitEulerIntegrator>(system, h);
     }},
};

static void answer(topsim_problem& p, const Rule& rule) {
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    const double* J = p.inertia;
    // A ball joint at the centre of mass: the tensor is that about the fixed point of a top, and the weight is a torque.
    const MassProperties mass(1.0, Vec3(0), Inertia(Vec3(J[0], J[4], J[8]), Vec3(J[1], J[2], J[5])));
    MobilizedBody::Ball body(matter.Ground(), Transform(), Body::Rigid(mass), Transform());
    if (p.torque.model != TOPSIM_NONE) Force::Custom(forces, new Torque(p, body));
    State state = system.realizeTopology();
    const double *q = p.quaternion, *w = p.rate;
    body.setQToFitRotation(state, Rotation(SimTK::Quaternion(q[0], q[1], q[2], q[3])));
    double in_space[3];
    topsim_to_space(p.matrix, w, in_space);
    body.setUToFitAngularVelocity(state, Vec3(in_space[0], in_space[1], in_space[2]));
    state.updTime() = p.start;
    std::unique_ptr<Integrator> integrator = rule.make(system, p.step);
    TimeStepper stepper(system, *integrator);
    integrator->setAllowInterpolation(false);
    integrator->setProjectEveryStep(true);
    stepper.initialize(state);
    for (std::size_t i = 0; i < p.rows; ++i) {
        const std::size_t to = topsim_step_of(&p, i);
        for (std::size_t n = i ? topsim_step_of(&p, i - 1) + 1 : to + 1; n <= to; ++n) stepper.stepTo(p.start + double(n) * p.step);
        const State& now = integrator->getState();
        system.realize(now, Stage::Velocity);
        const SimTK::Quaternion turned = body.getBodyRotation(now).convertRotationToQuaternion();
        const Vec3 rate = ~body.getBodyRotation(now) * body.getBodyAngularVelocity(now);
        const double attitude[4] = {turned[0], turned[1], turned[2], turned[3]}, of_body[3] = {rate[0], rate[1], rate[2]};
        topsim_write_quaternion(&p, p.start + double(to) * p.step, attitude, of_body);
    }
}

int main(int count, char** arguments) {
    std::vector<Setting> settings;
    for (const Rule& rule : RULES) settings.push_back({rule.name, rule.meaning});
    const std::string name = setting_of(count, arguments, "Simbody " ENGINE_VERSION, settings);
    while (topsim_problem* p = topsim_next()) {
        for (const Rule& rule : RULES) {
            if (rule.name != name) continue;
            try {
                answer(*p, rule);
            } catch (const std::exception& stopped) {
                std::fprintf(stderr, "%s\n", stopped.what());
                return 2;
            }
        }
    }
}
