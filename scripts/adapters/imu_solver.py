"""Libraries of inertial navigation: the attitude from a given rate (`coning`, `coning_product`, `gyro_axes`).

Each sample of the gyro is an update of the library: it gets the mean rate over the sample, which is the increment of an ideal gyro
over its length, or the rate at the times of the samples where a library integrates these. A step of the problem has 12 samples. No accelerometer and no magnetometer corrects anything; gains are 0. Bodies and torques are skipped.
"""

import importlib
import importlib.metadata
import json

import numpy as np

import protocol

SETTINGS = {
    "ahrs_closed": "ahrs, AngularRate, method 'closed' (its default)",
    "ahrs_series_1": "ahrs, AngularRate, method 'series', order 1",
    "ahrs_series_2": "ahrs, AngularRate, method 'series', order 2",
    "imufusion": "imufusion, Ahrs with gain 0, in single precision",
    "gtsam_default": "gtsam, PreintegratedImuMeasurements",
    "gtsam_manifold": "gtsam, PreintegratedImuMeasurementsManifold",
    "gtsam_lie_group": "gtsam, PreintegratedImuMeasurementsLieGroup",
    "gtsam_tangent": "gtsam, PreintegratedImuMeasurementsTangent",
    "vqf": "vqf, updateGyr without estimates of the bias",
    "kinematics": "scikit-kinematics, quat.calc_quat of the rates at the samples, in the body's frame",
    "quaternion": "numpy-quaternion, integrate_angular_velocity of the rates at all samples",
    "pyins": "python-ins, compute_increments_from_imu of increments, and the matrices of their vectors",
}
PACKAGES = ("ahrs", "gtsam", "imufusion", "numpy-quaternion", "python-ins", "scikit-kinematics", "vqf")


def version():
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)


def ahrs(setting, q0, h, increments):
    """Yields the quaternion after each sample, of h seconds."""
    from ahrs.filters import AngularRate

    method, _, order = setting.removeprefix("ahrs_").partition("_")
    rule, q = AngularRate(), q0
    for increment in increments:
        q = rule.update(q, increment / h, method=method, order=int(order or 1), dt=h)
        yield q


def imufusion(setting, q0, h, increments):
    import imufusion

    rule, options = imufusion.Ahrs(), imufusion.AhrsSettings()
    options.gain, options.gyroscope_range, options.sample_rate = 0.0, 0.0, 1.0 / h
    rule.set_settings(options)
    rule.skip_startup()
    rule.set_sample_period(h)
    rule.set_quaternion(q0)
    for increment in increments:
        rule.update_no_magnetometer(np.degrees(increment / h), np.zeros(3))
        yield rule.get_quaternion()


def gtsam(setting, q0, h, increments):
    import gtsam

    ending = {"default": "", "manifold": "Manifold", "lie_group": "LieGroup", "tangent": "Tangent"}
    name = "PreintegratedImuMeasurements" + ending[setting.removeprefix("gtsam_")]
    rule = getattr(gtsam, name)(gtsam.PreintegrationParams.MakeSharedU(0.0))
    for increment in increments:
        rule.integrateMeasurement(np.zeros(3), increment / h, h)
        yield protocol.quaternion_product(q0, protocol.quaternion(rule.deltaRij().matrix()))


def vqf(setting, q0, h, increments):
    import vqf

    rule = vqf.VQF(h, motionBiasEstEnabled=False, restBiasEstEnabled=False)
    for increment in increments:
        rule.updateGyr(np.ascontiguousarray(increment / h))
        yield protocol.quaternion_product(q0, rule.getQuat3D())


def pyins(setting, q0, h, increments):
    import pandas
    import pyins.strapdown as strapdown
    from pyins._numba_integrate import mat_from_rotvec

    # The sample before the first is not given: none.
    samples = np.hstack([np.vstack([np.zeros(3), increments]), np.zeros((len(increments) + 1, 3))])
    imu = pandas.DataFrame(samples, index=h * np.arange(len(samples)), columns=strapdown.GYRO_COLS + strapdown.ACCEL_COLS)
    turns = strapdown.compute_increments_from_imu(imu, "increment")[["theta_x", "theta_y", "theta_z"]].values
    r, turned = protocol.rotation(q0), np.empty((3, 3))
    for turn in turns:
        mat_from_rotvec(turn, turned)
        r = r @ turned
        yield protocol.quaternion(r)


def kinematics(setting, q0, h, values):
    from skinematics import quat

    # It takes the vector part of a start, whose scalar part it makes positive.
    rows = quat.calc_quat(values, q0[1:] * (1.0 if q0[0] >= 0.0 else -1.0), 1.0 / h, "bf")
    yield from rows[1:]


def quaternion(setting, q0, h, values):
    import quaternion

    # It takes rates in space: those of space seen from the body are minus the rates in the body.
    times = h * np.arange(len(values))
    _, rows = quaternion.integrate_angular_velocity((times, -values), 0.0, times[-1], quaternion.from_float_array(q0).conjugate())
    yield from quaternion.as_float_array(rows.conjugate())[1:]


# Libraries that take the rates at the times of the samples; the others take the increments of the angles between them.
OF_VALUES = {"kinematics": kinematics, "quaternion": quaternion}
# What to import before the processes of several problems part.
MODULES = {"ahrs": "ahrs.filters", "kinematics": "skinematics.quat", "pyins": "pyins.strapdown"}
LIBRARIES = {"ahrs": ahrs, "imufusion": imufusion, "gtsam": gtsam, "vqf": vqf, "pyins": pyins}


def main():
    options = protocol.arguments(__doc__, SETTINGS, version)
    name = options.setting.split("_")[0]
    importlib.import_module(MODULES.get(name, name))
    data = json.loads(protocol.text())
    if "rate" not in data:
        protocol.skip(f"{data['case']} is a body; these libraries integrate a given rate")
    rate, start, q0 = data["rate"], data["start"], np.array(data["initial"]["quaternion"])
    h, samples = rate["interval"], np.array(rate["values" if name in OF_VALUES else "increments"])
    updates = {**OF_VALUES, **LIBRARIES}[name](options.setting, q0, h, samples)
    protocol.tell("t,qw,qx,qy,qz")
    n, q = 0, q0
    for t in data["times"]:
        while n < round((t - start) / h):
            n, q = n + 1, next(updates)
        protocol.tell(",".join(f"{x:.17g}" for x in (t, *q)))


main()
