// Survivors of the Levitron in the window of figure 1a of Dullin 2004, by a program of its own: the plain
// series of the potential with derivatives D_k by recurrence, Rodrigues' rotation with libm's sine and cosine,
// Strang's splitting written out. The source of expected/levitron_spin_scan.toml.
//
//     cc -O3 scripts/levitron_survivors.c -lm -o survivors
//     ./survivors SPIN H T N [SCALE]     spin in rev/s, step and time in s, N x N cells; SCALE shrinks the window
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define J 7
static const double g = 9.81, m = .02, A = .05, mu = -9.5e-5, T1 = 1.125e-6, zs = .0312926934523295318;
static double cj[J + 1];  // (-1)^j / (4^j j!^2)

static void kick(double t, const double *r, double *v, const double *a, double *w) {
  double x = r[0], y = r[1], z = r[2], s = x * x + y * y, R2 = z * z + A * A, D[2 * J + 3];
  D[1] = -2 * M_PI * A * A / (R2 * sqrt(R2));
  D[2] = -3 * z * D[1] / R2;
  for (int k = 3; k <= 2 * J + 2; k++) D[k] = -((2 * k - 1) * z * D[k - 1] + k * (k - 2.) * D[k - 2]) / R2;
  double Fz = 0, Fs = 0, Fsz = 0, Fss = 0, Fzz = 0;
  for (int j = J; j >= 0; j--) {
    Fz += cj[j] * pow(s, j) * D[2 * j + 1];
    Fzz += cj[j] * pow(s, j) * D[2 * j + 2];
    if (j >= 1) Fs += j * cj[j] * pow(s, j - 1) * D[2 * j], Fsz += j * cj[j] * pow(s, j - 1) * D[2 * j + 1];
    if (j >= 2) Fss += j * (j - 1) * cj[j] * pow(s, j - 2) * D[2 * j];
  }
  double q = x * a[0] + y * a[1];
  double B[3] = {-2 * x * Fs, -2 * y * Fs, -Fz};
  double G[3] = {-2 * Fs * a[0] - 4 * x * Fss * q - 2 * x * Fsz * a[2],
                 -2 * Fs * a[1] - 4 * y * Fss * q - 2 * y * Fsz * a[2], -2 * Fsz * q - Fzz * a[2]};
  for (int i = 0; i < 3; i++) v[i] += t * (mu * G[i] / m - (i == 2 ? g : 0));
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    w[i] += t * mu / T1 * (a[j] * B[k] - a[k] * B[j]);
  }
}

static void drift(double t, double *r, const double *v, double *a, const double *w) {
  for (int i = 0; i < 3; i++) r[i] += t * v[i];
  double n = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), b[3];
  double e[3] = {w[0] / n, w[1] / n, w[2] / n}, c = cos(n * t), s = sin(n * t);
  double d = e[0] * a[0] + e[1] * a[1] + e[2] * a[2];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    b[i] = c * a[i] + s * (e[j] * a[k] - e[k] * a[j]) + (1 - c) * d * e[i];
  }
  for (int i = 0; i < 3; i++) a[i] = b[i];
}

int main(int count, char **word) {
  if (count < 5) return fprintf(stderr, "usage: survivors SPIN H T N [SCALE]\n"), 2;
  cj[0] = 1;
  for (int j = 1; j <= J; j++) cj[j] = -cj[j - 1] / (4. * j * j);
  double sigma = atof(word[1]), h = atof(word[2]), T = atof(word[3]), scale = count > 5 ? atof(word[5]) : 1;
  int N = atoi(word[4]), survivors = 0;
  long steps = lround(T / h);
  for (int iz = 0; iz < N; iz++)
    for (int ix = 0; ix < N; ix++) {
      double r[3] = {scale * .012 * (ix + .5) / N, 0, zs + scale * (-.01 + .02 * (iz + .5) / N)};
      double v[3] = {0}, a[3] = {0, 0, 1}, w[3] = {0, 0, sigma * 2 * M_PI * 2};
      long n = 0;
      for (; n < steps; n++) {
        kick(h / 2, r, v, a, w), drift(h, r, v, a, w), kick(h / 2, r, v, a, w);
        if (sqrt(r[0] * r[0] + r[1] * r[1] + (r[2] - zs) * (r[2] - zs)) > zs) break;
      }
      survivors += n == steps;
    }
  printf("sigma %g h %g T %g N %d survivors %d\n", sigma, h, T, N, survivors);
}
