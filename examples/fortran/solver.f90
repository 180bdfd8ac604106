! A solver for `topsim judge`: put your own step into `step`, and leave the rest as it is.
program solver
   use topsim_solver
   implicit none
   type(problem) :: p
   integer :: row, n

   call read_problem(p)
   n = 0
   do row = 1, size(p%times)
      do while (n < step_of(p, row))
         call step(p, p%start + n * p%step, p%q, p%w)
         n = n + 1
      end do
      call write_row(p, p%start + n * p%step, p%q, p%w)
   end do

contains

   ! YOUR STEP HERE. Makes one step of p%step seconds from the time t.
   !
   ! q  attitude, a unit quaternion w, x, y, z that turns the body into space; `matrix` and `quaternion` change between it
   !    and a matrix
   ! w  angular velocity in the body frame, rad/s
   !
   ! What stands here is right: the classical Runge-Kutta method, of order 4.
   subroutine step(p, t, q, w)
      type(problem), intent(in) :: p
      real(real64), intent(in) :: t
      real(real64), intent(inout) :: q(4), w(3)
      real(real64) :: h, y(7), k1(7), k2(7), k3(7), k4(7)
      h = p%step
      y = [q, w]
      k1 = slope(p, t, y)
      k2 = slope(p, t + h / 2, y + h / 2 * k1)
      k3 = slope(p, t + h / 2, y + h / 2 * k2)
      k4 = slope(p, t + h, y + h * k3)
      y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
      q = y(1:4) / norm2(y(1:4))
      w = y(5:7)
   end subroutine

   ! q' = q (0, w) / 2;  w' = inverse(J) (cross(J w, w) + torque)
   pure function slope(p, t, y) result(s)
      type(problem), intent(in) :: p
      real(real64), intent(in) :: t, y(7)
      real(real64) :: s(7), w(3), moment(3)
      w = y(5:7)
      moment = cross(matmul(p%inertia, w), w) + torque(p, t, y(1:4), w)
      s(1:4) = quaternion_product(y(1:4), [0.0_real64, w]) / 2
      s(5:7) = matmul(p%inertia_inverse, moment)
   end function
end program
