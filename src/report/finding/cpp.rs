//! The shortest C++ program that shows a finding, around the user's own function of one step.

use super::text::{problem, sentence};
use topsim_core::math::{Mat3, so3};
use topsim_judge::hunt::{Finding, HuntClaim, Numbers};

pub(super) fn text(finding: &Finding) -> Option<String> {
    let p = &finding.problem;
    let head = format!(
        "// {}: {}.\n// {}.\n// Found by topsim hunt {}, seed {}. Build it with your own step:  c++ reproduce.cpp my_step.cpp && ./a.out\n\
         // J inertia (body frame, row by row), lever and weight of gravity along -z (0: none), q attitude (w, x, y, z; body to\n\
         // space), w angular velocity (body frame); SI units.\n\
         void my_step(const double J[9], const double lever[3], double weight, double h, double q[4], double w[3]);\n\n\
         #include <cmath>\n#include <cstdio>\n#include <cstring>\n\n",
        finding.id,
        sentence(finding),
        problem(p),
        finding.topsim,
        finding.seed
    );
    let own = numbers(&p.numbers()?, "A");
    let body = match p.compared(finding.claim) {
        Some(beside) => format!(
            "{own}{}// Axes of space and of the body in the image, and by what its rates are larger.\n\
             const double Q[3][3] = {}, S[3][3] = {}, F = {:?};\n{RUN}{}",
            numbers(&beside.image, "B"),
            matrix(&beside.space),
            matrix(&beside.body),
            beside.factor,
            COMPARED
                .replace("STEPS", &p.steps.to_string())
                .replace("ALLOWED", &format!("{:?}", finding.allowed)),
        ),
        None if matches!(finding.claim, HuntClaim::Momentum | HuntClaim::Energy) => format!(
            "{own}{RUN}\n{KEPT}\nint main() {{\n    show(\"start\", State(A));\n    show(\"end\", run(A, {}));\n}}\n",
            p.steps
        ),
        None if !p.has_closed_form() => format!(
            "{own}{RUN}\n{KEPT}{}",
            CHANGES.replace("STEPS", &p.steps.to_string())
        ),
        None => {
            let exact = p.exact()?;
            format!(
                "{own}const double Q[4] = {}, W[3] = {};  // at the end, by the closed form\n{RUN}\n{}",
                braces(&so3::quat_from_matrix(&exact.att)),
                braces(exact.omega.as_slice()),
                LADDER.replace("STEPS", &p.steps.to_string()),
            )
        }
    };
    Some(head + STATE + &body)
}

fn braces(all: &[f64]) -> String {
    let all: Vec<String> = all.iter().map(|x| format!("{x:?}")).collect();
    format!("{{{}}}", all.join(", "))
}

fn matrix(m: &Mat3) -> String {
    let rows = (0..3).map(|i| braces(&[0, 1, 2].map(|j| m[(i, j)])));
    format!("{{{}}}", rows.collect::<Vec<_>>().join(", "))
}

/// The numbers of a problem, under a name.
fn numbers(p: &Numbers, name: &str) -> String {
    format!(
        "const Problem {name} = {{{}, {}, {:?}, {:?}, {}, {}}};\n",
        braces(&so3::rows(&p.inertia)),
        braces(p.lever.as_slice()),
        p.weight,
        p.end,
        braces(&so3::quat_from_matrix(&p.attitude)),
        braces(p.rate.as_slice()),
    )
}

const STATE: &str = "struct Problem { double J[9], lever[3], weight, end, q[4], w[3]; };
struct State {
    double q[4], w[3];
    explicit State(const Problem &p) { std::memcpy(q, p.q, sizeof q); std::memcpy(w, p.w, sizeof w); }
};
";

const RUN: &str = "
static State run(const Problem &p, int n) {
    State y(p);
    for (int k = 0; k < n; ++k) my_step(p.J, p.lever, p.weight, p.end / n, y.q, y.w);
    return y;
}
";

const COMPARED: &str = "
static void matrix(const double *q, double R[3][3]) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double all[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                           2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                           2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
    std::memcpy(R, all, sizeof all);
}

int main() {
    State a = run(A, STEPS), b = run(B, STEPS);
    double R[3][3], T[3][3], attitude = 0, rate = 0, size = 0;
    matrix(a.q, R), matrix(b.q, T);
    for (int j = 0; j < 3; ++j) {
        double w = 0;  // the rate of the image as one of the problem
        for (int l = 0; l < 3; ++l) w += S[l][j] * b.w[l] / F;
        rate += std::pow(w - a.w[j], 2), size += a.w[j] * a.w[j];
        for (int i = 0; i < 3; ++i) {
            double r = 0;
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) r += Q[k][i] * T[k][l] * S[l][j];
            attitude += std::pow(r - R[i][j], 2);
        }
    }
    std::printf(\"the same motion twice: attitudes differ by %.2e, rates by %.2e (allowed %.0e)\\n\", std::sqrt(attitude),
                std::sqrt(rate / size), ALLOWED);
}
";

const CHANGES: &str = "
int main() {
    State last(A);
    show(\"start\", last);
    for (int n = STEPS; n <= 64 * STEPS; n *= 2) {
        State y = run(A, n);
        double change = 0;
        for (int i = 0; i < 4; ++i) change = std::fmax(change, std::fmin(std::fabs(y.q[i] - last.q[i]), std::fabs(y.q[i] + last.q[i])));
        if (n > STEPS) std::printf(\"%5d steps change the quaternion by %.2e\\n\", n, change);
        show(\"end\", last = y);
    }
}
";

const LADDER: &str = "
int main() {
    std::printf(\"steps  error of the attitude (rad)  of the rate (relative)\\n\");
    for (int n = STEPS; n <= 64 * STEPS; n *= 2) {
        State y = run(A, n);
        double same = 0, other = 0, off = 0, size = 0;  // q and -q are the same attitude
        for (int i = 0; i < 4; ++i) same += std::pow(y.q[i] - Q[i], 2), other += std::pow(y.q[i] + Q[i], 2);
        for (int i = 0; i < 3; ++i) off += std::pow(y.w[i] - W[i], 2), size += W[i] * W[i];
        std::printf(\"%5d  %.3e                %.3e\\n\", n, 4 * std::asin(std::fmin(1, std::sqrt(std::fmin(same, other)) / 2)),
                    std::sqrt(off / size));
    }
}
";

const KEPT: &str = "static void show(const char *when, const State &y) {
    double L[3] = {0, 0, 0}, energy = 0;
    const double *q = y.q;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) L[i] += A.J[3 * i + j] * y.w[j], energy += 0.5 * y.w[i] * A.J[3 * i + j] * y.w[j];
    const double z[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    for (int i = 0; i < 3; ++i) energy += A.weight * z[i] * A.lever[i];
    const double t[3] = {2 * (q[2] * L[2] - q[3] * L[1]), 2 * (q[3] * L[0] - q[1] * L[2]), 2 * (q[1] * L[1] - q[2] * L[0])};
    std::printf(\"%5s: energy %.17g, momentum in space %.17g %.17g %.17g\\n\", when, energy,
                L[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1], L[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2],
                L[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0]);
}
";
