// Runge and Kutta's method of order 4 on quaternion and body rate, for the C++ scripts of findings.
static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; ++i) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void slope(const double J[9], const double lever[3], double weight, const double y[7], double d[7]) {
    const double *q = y, *w = y + 4;
    double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    // The third row of the matrix of q: the vertical in the body.
    double down[3] = {-2 * (q[1] * q[3] - q[0] * q[2]) / n, -2 * (q[2] * q[3] + q[0] * q[1]) / n,
                      -1 + 2 * (q[1] * q[1] + q[2] * q[2]) / n};
    for (int i = 0; i < 3; ++i) down[i] *= weight;
    double L[3], gyro[3], torque[3], b[3], minors[9];
    for (int i = 0; i < 3; ++i) L[i] = J[3 * i] * w[0] + J[3 * i + 1] * w[1] + J[3 * i + 2] * w[2];
    cross(L, w, gyro);
    cross(lever, down, torque);
    for (int i = 0; i < 3; ++i) b[i] = gyro[i] + torque[i];
    for (int i = 0; i < 3; ++i) cross(J + 3 * ((i + 1) % 3), J + 3 * ((i + 2) % 3), minors + 3 * i);
    double det = J[0] * minors[0] + J[1] * minors[1] + J[2] * minors[2];
    d[0] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    d[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    d[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    d[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
    for (int i = 0; i < 3; ++i) d[4 + i] = (minors[i] * b[0] + minors[3 + i] * b[1] + minors[6 + i] * b[2]) / det;
}

static void rk4(const double J[9], const double lever[3], double weight, double h, double q[4], double w[3]) {
    double y[7], z[7], k[4][7];
    for (int i = 0; i < 7; ++i) y[i] = i < 4 ? q[i] : w[i - 4];
    const double c[4] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; ++s) {
        for (int i = 0; i < 7; ++i) z[i] = y[i] + (s > 0 ? h * c[s] * k[s - 1][i] : 0);
        slope(J, lever, weight, z, k[s]);
    }
    for (int i = 0; i < 7; ++i) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    for (int i = 0; i < 7; ++i) (i < 4 ? q[i] : w[i - 4]) = y[i];
}
