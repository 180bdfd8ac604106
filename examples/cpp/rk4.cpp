// A solver for `topsim judge CASE --solver ./rk4`, in C++17:
//
//     c++ -std=c++17 -O2 -I include -o rk4 examples/cpp/rk4.cpp
//     topsim judge --all --solver ./rk4 --claim order=4
//
// Runge and Kutta's method of order 4 on the quaternion and the angular velocity in the body frame.
#include "topsim_solver.h"

#include <array>
#include <cmath>

// w, x, y, z of the quaternion and the body rate
using State = std::array<double, 7>;

static State moved(State y, double h, const State& slope) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * slope[i];
    return y;
}

static State slope(const topsim_problem& p, double t, const State& y) {
    const double *q = y.data(), *v = q + 1, *w = q + 4;
    double R[9], moment[3], l[3];
    topsim_matrix(q, R);
    topsim_torque_moving(&p, t, R, w, moment);
    for (int i = 0; i < 3; ++i) {
        const double* row = p.inertia + 3 * i;
        l[i] = row[0] * w[0] + row[1] * w[1] + row[2] * w[2];
    }
    topsim_add_cross(l, w, moment);

    // q' = q (0, w) / 2;  w' = inverse(J) (cross(J w, w) + tau)
    double turn[3] = {q[0] * w[0], q[0] * w[1], q[0] * w[2]};
    topsim_add_cross(v, w, turn);
    State out{-0.5 * (v[0] * w[0] + v[1] * w[1] + v[2] * w[2])};
    for (std::size_t i = 0; i < 3; ++i) {
        const double* row = p.inertia_inverse + 3 * i;
        out[1 + i] = 0.5 * turn[i];
        out[4 + i] = row[0] * moment[0] + row[1] * moment[1] + row[2] * moment[2];
    }
    return out;
}

static void step(const topsim_problem& p, double t, State& y) {
    const double h = p.step;
    const State k1 = slope(p, t, y);
    const State k2 = slope(p, t + 0.5 * h, moved(y, 0.5 * h, k1));
    const State k3 = slope(p, t + 0.5 * h, moved(y, 0.5 * h, k2));
    const State k4 = slope(p, t + h, moved(y, h, k3));
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    const double length = std::sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    for (std::size_t i = 0; i < 4; ++i) y[i] /= length;
}

int main() {
    while (topsim_problem* p = topsim_next()) {
        const double *q = p->quaternion, *w = p->rate;
        State y{q[0], q[1], q[2], q[3], w[0], w[1], w[2]};
        std::size_t n = 0;
        for (std::size_t i = 0; i < p->rows; ++i) {
            for (; n < topsim_step_of(p, i); ++n) step(*p, p->start + double(n) * p->step, y);
            topsim_write_quaternion(p, p->start + double(n) * p->step, &y[0], &y[4]);
        }
    }
}
