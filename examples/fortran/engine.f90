! Drives a physics engine for `topsim judge`: put calls of your engine into the module `engine`, and leave the rest as it is.

! YOUR ENGINE HERE: a free body in its principal axes. Replace these three routines by calls of your engine.
!
! Quaternions are w, x, y, z, others have the scalar last; rates are in space, in rad/s. Switch off damping, sleep and limits of
! the rate, or let topsim find them. What stands here is right: the explicit midpoint rule, of order 2.
module engine
   use topsim_solver
   implicit none
   private
   public :: engine_set, engine_step, engine_get
   real(real64) :: moments(3), q(4), w(3) ! w in principal axes

contains

   ! Makes the body: principal moments, kg m^2; attitude of the principal axes; angular velocity in space.
   subroutine engine_set(principal_moments, attitude, rate)
      real(real64), intent(in) :: principal_moments(3), attitude(4), rate(3)
      moments = principal_moments
      q = attitude
      w = to_body(q, rate)
   end subroutine

   ! Makes one step of h seconds.
   subroutine engine_step(h)
      real(real64), intent(in) :: h
      real(real64) :: middle_q(4), middle_w(3), end_q(4), end_w(3)
      call moved(h / 2, q, w, middle_q, middle_w)
      call moved(h, middle_q, middle_w, end_q, end_w)
      q = end_q
      w = end_w
   end subroutine

   ! Returns the attitude of the principal axes and the angular velocity in space.
   subroutine engine_get(attitude, rate)
      real(real64), intent(out) :: attitude(4), rate(3)
      attitude = q
      rate = to_space(q, w)
   end subroutine

   ! The state after h seconds with the slopes at another one.
   subroutine moved(h, at_q, at_w, new_q, new_w)
      real(real64), intent(in) :: h, at_q(4), at_w(3)
      real(real64), intent(out) :: new_q(4), new_w(3)
      new_q = q + h / 2 * quaternion_product(at_q, [0.0_real64, at_w])
      new_q = new_q / norm2(new_q)
      new_w = w + h * cross(moments * at_w, at_w) / moments
   end subroutine
end module

program solver
   use topsim_solver
   use engine
   implicit none
   type(problem) :: p
   real(real64) :: q(4), w(3)
   integer :: row, n

   call read_problem(p)
   if (p%model /= 'none') call skip('the engine is given free bodies only')
   call engine_set(p%moments, quaternion_product(p%q, p%axes), to_space(p%q, p%w))
   n = 0
   do row = 1, size(p%times)
      do while (n < step_of(p, row))
         call engine_step(p%step)
         n = n + 1
      end do
      call engine_get(q, w)
      call write_principal(p, p%start + n * p%step, q, w)
   end do
end program
