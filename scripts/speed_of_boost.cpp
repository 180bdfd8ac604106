// Times of Boost odeint's Runge-Kutta-Fehlberg 7(8) with error control, for speed_of_others.py.
//
// Arguments: three moments of inertia, the weight, the lever (3), the quaternion w x y z, the rate in the body (3), the end.
// Prints a line for each tolerance: the quaternion at the end and the least time of a run in seconds.
#include <array>
#include <boost/numeric/odeint.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using State = std::array<double, 7>;
namespace odeint = boost::numeric::odeint;

int main(int count, char **arguments) {
  if (count != 16) {
    std::fprintf(stderr, "15 numbers are needed\n");
    return 2;
  }
  double a[15];
  for (int i = 0; i < 15; ++i) a[i] = std::strtod(arguments[i + 1], nullptr);
  const double *J = a, weight = a[3], *lever = a + 4, end = a[14];
  State start;
  for (int i = 0; i < 7; ++i) start[i] = a[7 + i];
  auto slope = [&](const State &s, State &d, double) {
    const double w = s[0], x = s[1], y = s[2], z = s[3], p = s[4], q = s[5], r = s[6];
    // The vertical in the body frame is the third row of R.
    const double up[3] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
    d[0] = -0.5 * (x * p + y * q + z * r);
    d[1] = 0.5 * (w * p + y * r - z * q);
    d[2] = 0.5 * (w * q + z * p - x * r);
    d[3] = 0.5 * (w * r + x * q - y * p);
    d[4] = ((J[1] - J[2]) * q * r - weight * (lever[1] * up[2] - lever[2] * up[1])) / J[0];
    d[5] = ((J[2] - J[0]) * r * p - weight * (lever[2] * up[0] - lever[0] * up[2])) / J[1];
    d[6] = ((J[0] - J[1]) * p * q - weight * (lever[0] * up[1] - lever[1] * up[0])) / J[2];
  };
  for (int k = 4; k < 15; ++k) {
    const double tolerance = std::pow(10.0, -k);
    State s;
    auto run = [&] {
      s = start;
      odeint::integrate_adaptive(
          odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_fehlberg78<State>()), slope, s, 0.0, end, 1e-3);
    };
    using Clock = std::chrono::steady_clock;
    const auto begun = Clock::now();
    double least = 1e9;
    while (Clock::now() - begun < std::chrono::milliseconds(300)) {
      const auto one = Clock::now();
      run();
      least = std::min(least, std::chrono::duration<double>(Clock::now() - one).count());
    }
    std::printf("%.17g %.17g %.17g %.17g %.9g\n", s[0], s[1], s[2], s[3], least);
  }
}
