"""A free body that spins about its axis of the largest moment, tilted by 0.1 rad/s, in PhysX 5 (SAPIEN): it should go on so for ever."""
import numpy as np
import sapien

config = sapien.physx.get_scene_config()
config.gravity = np.zeros(3)
sapien.physx.set_scene_config(config)
system = sapien.physx.PhysxCpuSystem()
system.timestep = 1/60
J, body = np.array([1.0, 2.0, 3.0]), sapien.physx.PhysxRigidDynamicComponent()
body.mass, body.inertia, body.cmass_local_pose, body.angular_damping, body.sleep_threshold = 1.0, J, sapien.Pose(), 0.0, 0.0
entity, scene = sapien.Entity(), sapien.Scene([system])
entity.add_component(body)
scene.add_entity(entity)
body.set_angular_velocity([0.1, 0.1, 5.0])
for seconds in range(0, 61, 10):
    W = body.entity_pose.to_transformation_matrix()[:3, :3].T @ body.angular_velocity
    print(f"t = {seconds} s: rate in the body {W.round(3)} rad/s, energy {0.5*W @ (J*W):.3f} J")
    for _ in range(600):
        system.step()
