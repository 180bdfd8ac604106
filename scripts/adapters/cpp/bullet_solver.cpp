// Bullet as a solver for `topsim judge`: a body in principal axes, and torques that are put on once a step. With
// BT_USE_DOUBLE_PRECISION it is the engine in double precision, else that in single precision.
#include "driver.h"

#include <btBulletDynamicsCommon.h>
#include <memory>

static const int FLAGS_KEPT = -1;

class Body {
public:
    Body(const topsim_problem& p, const Quaternion& q, const Vector& w, int flags, bool sleeps)
        : h_(p.step), broad_phase_(), dispatcher_(&collisions_), world_(&dispatcher_, &broad_phase_, &solver_, &collisions_),
          shape_(btScalar(0.1)) {
        world_.setGravity(btVector3(0, 0, 0));
        const btVector3 moments(number(p.moments[0]), number(p.moments[1]), number(p.moments[2]));
        btRigidBody::btRigidBodyConstructionInfo about(1, nullptr, &shape_, moments);
        about.m_startWorldTransform.setRotation(btQuaternion(number(q[1]), number(q[2]), number(q[3]), number(q[0])));
        body_ = std::make_unique<btRigidBody>(about);
        body_->setAngularVelocity(btVector3(number(w[0]), number(w[1]), number(w[2])));
        if (flags != FLAGS_KEPT) body_->setFlags(flags);
        if (!sleeps) body_->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(body_.get());
    }
    ~Body() { world_.removeRigidBody(body_.get()); }
    void step(const Vector* torque) {
        if (torque) body_->applyTorque(btVector3(number((*torque)[0]), number((*torque)[1]), number((*torque)[2])));
        world_.stepSimulation(number(h_), 0); // 0: one step of h, and not steps of 1/60 s
    }
    void get(Quaternion& q, Vector& w) const {
        const btQuaternion turned = body_->getOrientation();
        const btVector3 rate = body_->getAngularVelocity();
        q = {turned.w(), turned.x(), turned.y(), turned.z()};
        w = {rate.x(), rate.y(), rate.z()};
    }

private:
    static btScalar number(double x) { return static_cast<btScalar>(x); }
    double h_;
    btDbvtBroadphase broad_phase_;
    btDefaultCollisionConfiguration collisions_;
    btCollisionDispatcher dispatcher_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    btSphereShape shape_;
    std::unique_ptr<btRigidBody> body_;
};

int main(int count, char** arguments) {
    const char* const precision = sizeof(btScalar) == 8 ? "double precision" : "single precision";
    const std::string setting = setting_of(count, arguments, std::string("Bullet " ENGINE_VERSION ", ") + precision,
                                           {{"default", "as Bullet comes: the gyroscopic term implicit in the body's frame; sleep"},
                                            {"recommended", "no sleep"},
                                            {"implicit_world", "no sleep; the gyroscopic term implicit in the world's frame"},
                                            {"explicit", "no sleep; the gyroscopic term explicit, cut at 100 N m"},
                                            {"no_gyroscopic", "no sleep; no gyroscopic term"}});
    int flags = FLAGS_KEPT;
    if (setting == "implicit_world") flags = BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD;
    if (setting == "explicit") flags = BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT;
    if (setting == "no_gyroscopic") flags = 0;
    drive([&](const topsim_problem& p, const Quaternion& q, const Vector& w) {
        return std::make_unique<Body>(p, q, w, flags, setting == "default");
    });
}
