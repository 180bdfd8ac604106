// The parts that the adapters in C++ share: the arguments, and the steps of an engine that is given a body in its principal axes.
#ifndef TOPSIM_DRIVER_H
#define TOPSIM_DRIVER_H

#include "../../../include/topsim_solver.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

using Quaternion = std::array<double, 4>; // w, x, y, z
using Vector = std::array<double, 3>;

struct Setting {
    std::string name, meaning;
};

// Returns the setting that `--setting NAME` asks for, or the first one. `--settings` prints the version and all settings as JSON.
inline std::string setting_of(int count, char** arguments, const std::string& version, const std::vector<Setting>& known) {
    std::string names, listed;
    for (const Setting& one : known) {
        names += (names.empty() ? "" : ", ") + one.name;
        listed += (listed.empty() ? "\"" : ", \"") + one.name + "\": \"" + one.meaning + "\"";
    }
    const std::vector<std::string> given(arguments + 1, arguments + count);
    if (given.empty()) return known[0].name;
    if (given.size() == 1 && given[0] == "--settings") {
        std::printf("{\"version\": \"%s\", \"settings\": {%s}}\n", version.c_str(), listed.c_str());
        std::exit(0);
    }
    if (given.size() == 2 && given[0] == "--setting") {
        for (const Setting& one : known) {
            if (one.name == given[1]) return one.name;
        }
    }
    std::fprintf(stderr, "the arguments are --settings, or --setting with one of %s\n", names.c_str());
    std::exit(2);
}

// Answers all problems. `make(problem, q, w)` makes a body in principal axes with the attitude q and the rate w in space; it has
// `step(const Vector* torque)`, with the torque in space that acts during the step, or a null pointer, and `get(q, w)`.
template <class Make> void drive(Make make) {
    while (topsim_problem* p = topsim_next()) {
        Quaternion q;
        Vector w;
        topsim_product(p->quaternion, p->axes, q.data());
        topsim_to_space(p->matrix, p->rate, w.data());
        auto body = make(*p, q, w);
        std::size_t n = 0;
        for (std::size_t i = 0; i < p->rows; ++i) {
            for (; n < topsim_step_of(p, i); ++n) {
                if (p->torque.model == TOPSIM_NONE) {
                    body->step(nullptr);
                    continue;
                }
                const double back[4] = {p->axes[0], -p->axes[1], -p->axes[2], -p->axes[3]};
                double attitude[4], R[9], rate[3], in_body[3];
                Vector torque;
                body->get(q, w);
                topsim_product(q.data(), back, attitude);
                topsim_matrix(attitude, R);
                topsim_to_body(R, w.data(), rate);
                topsim_torque_moving(p, p->start + double(n) * p->step, R, rate, in_body);
                topsim_to_space(R, in_body, torque.data());
                body->step(&torque);
            }
            body->get(q, w);
            topsim_write_principal(p, p->start + double(n) * p->step, q.data(), w.data());
        }
    }
}

#endif
