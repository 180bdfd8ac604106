// Drives a physics engine for `topsim judge`: put calls of your engine into `Engine`, and leave the rest as it is.
#include "topsim_solver.h"

#include <array>
#include <cmath>

using Quaternion = std::array<double, 4>; // w, x, y, z
using Vector = std::array<double, 3>;

// YOUR ENGINE HERE: a free body in its principal axes. Replace set, step and get by calls of your engine.
//
// Quaternions are w, x, y, z, others have the scalar last; rates are in space, in rad/s. Switch off damping, sleep
// and limits of the rate, or let topsim find them. What stands here is right: the explicit midpoint rule, of order 2.
class Engine {
public:
    // Makes the body: principal moments, kg m^2; attitude of the principal axes; angular velocity in space.
    void set(const Vector& moments, const Quaternion& q, const Vector& w) {
        double R[9];
        moments_ = moments, now_.q = q;
        topsim_matrix(q.data(), R);
        topsim_to_body(R, w.data(), now_.w.data());
    }

    // Makes one step of h seconds.
    void step(double h) {
        const State middle = moved(0.5 * h, now_);
        now_ = moved(h, middle);
    }

    // Returns the attitude of the principal axes and the angular velocity in space.
    void get(Quaternion& q, Vector& w) const {
        double R[9];
        q = now_.q;
        topsim_matrix(q.data(), R);
        topsim_to_space(R, now_.w.data(), w.data());
    }

private:
    struct State {
        Quaternion q;
        Vector w; // in principal axes
    };

    // The state after h seconds, with the slopes at another one.
    State moved(double h, const State& at) const {
        State next = now_;
        const double rate[4] = {0.0, at.w[0], at.w[1], at.w[2]};
        double turn[4], length = 0.0;
        topsim_product(at.q.data(), rate, turn);
        for (std::size_t i = 0; i < 4; ++i) next.q[i] += 0.5 * h * turn[i];
        for (double x : next.q) length += x * x;
        for (double& x : next.q) x /= std::sqrt(length);
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
            next.w[i] += h * (moments_[j] - moments_[k]) / moments_[i] * at.w[j] * at.w[k];
        }
        return next;
    }

    Vector moments_{};
    State now_{};
};

int main() {
    while (topsim_problem* p = topsim_next()) {
        if (p->torque.model != TOPSIM_NONE) {
            topsim_skip_problem(p, "the engine is given free bodies only");
            continue;
        }
        Quaternion q;
        Vector w;
        topsim_product(p->quaternion, p->axes, q.data());
        topsim_to_space(p->matrix, p->rate, w.data());
        Engine engine;
        engine.set({p->moments[0], p->moments[1], p->moments[2]}, q, w);
        std::size_t n = 0;
        for (std::size_t i = 0; i < p->rows; ++i) {
            for (; n < topsim_step_of(p, i); ++n) engine.step(p->step);
            engine.get(q, w);
            topsim_write_principal(p, p->start + double(n) * p->step, q.data(), w.data());
        }
    }
}
