// Open Dynamics Engine (double precision, as Debian builds it) as a solver for `topsim judge`: a body in principal axes, and torques
// that are put on once a step.
#include "driver.h"

#include <memory>
#include <ode/ode.h>

class Body {
public:
    Body(const topsim_problem& p, const Quaternion& q, const Vector& w, const std::string& setting)
        : h_(p.step), quick_(setting == "quick"), world_(dWorldCreate()), body_(dBodyCreate(world_)) {
        dMass mass;
        dMassSetParameters(&mass, 1.0, 0.0, 0.0, 0.0, p.moments[0], p.moments[1], p.moments[2], 0.0, 0.0, 0.0);
        dBodySetMass(body_, &mass);
        const dQuaternion turned = {q[0], q[1], q[2], q[3]};
        dBodySetQuaternion(body_, turned);
        dBodySetAngularVel(body_, w[0], w[1], w[2]);
        if (setting == "no_gyroscopic") dBodySetGyroscopicMode(body_, 0);
        if (setting == "finite") dBodySetFiniteRotationMode(body_, 1);
    }
    ~Body() { dWorldDestroy(world_); }
    void step(const Vector* torque) {
        if (torque) dBodyAddTorque(body_, (*torque)[0], (*torque)[1], (*torque)[2]);
        if (quick_) dWorldQuickStep(world_, h_);
        else dWorldStep(world_, h_);
    }
    void get(Quaternion& q, Vector& w) const {
        const dReal *turned = dBodyGetQuaternion(body_), *rate = dBodyGetAngularVel(body_);
        q = {turned[0], turned[1], turned[2], turned[3]};
        w = {rate[0], rate[1], rate[2]};
    }

private:
    double h_;
    bool quick_;
    dWorldID world_;
    dBodyID body_;
};

int main(int count, char** arguments) {
    const std::string setting = setting_of(count, arguments, "Open Dynamics Engine " ENGINE_VERSION,
                                           {{"default", "dWorldStep, the gyroscopic term linearly implicit"},
                                            {"quick", "dWorldQuickStep"},
                                            {"finite", "dBodySetFiniteRotationMode(body, 1)"},
                                            {"no_gyroscopic", "dBodySetGyroscopicMode(body, 0)"}});
    dInitODE2(0);
    drive([&](const topsim_problem& p, const Quaternion& q, const Vector& w) {
        return std::make_unique<Body>(p, q, w, setting);
    });
    dCloseODE();
}
