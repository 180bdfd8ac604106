! topsim_solver.f90 reads the problem of `topsim judge --protocol text` and prints the rows, for solvers in Fortran 2008.
!
! Units are SI. A quaternion is w, x, y, z and turns the body into space, as R does: v_space = R v_body. `topsim judge judge_top
! --problem --protocol text` prints a problem; `topsim schema problem` describes every key.
module topsim_solver
   use, intrinsic :: iso_fortran_env, only: error_unit, real64
   implicit none
   private
   public :: real64, problem, read_problem, torque, step_of, write_row, write_principal, skip
   public :: cross, quaternion_product, to_space, to_body, matrix, quaternion

   type :: problem
      character(80) :: name = ''                     ! of the case
      real(real64) :: inertia(3, 3)                  ! about the point of the torque, body frame, kg m^2
      real(real64) :: inertia_inverse(3, 3)
      real(real64) :: moments(3)                     ! principal moments, kg m^2
      real(real64) :: axes(4)                        ! quaternion from the principal axes to the body frame
      real(real64) :: q(4), w(3)                     ! attitude and angular velocity (body frame, rad/s) at the start
      real(real64) :: start, step                    ! s
      real(real64), allocatable :: times(:)          ! of the rows, s, each start + n step; the first is the start
      character(40) :: model = 'none of a given rate' ! of the torque; 'none' for a free body
      character(40) :: frame = ''                    ! of its components, body or space
      ! Numbers of the torque; `torque` has the formulas.
      real(real64) :: weight = 0, lever(3) = 0, up(3) = 0, torque(3) = 0, amplitude(3) = 0, rate = 0, from = 0, until = 0
      real(real64) :: linear = 0, quadratic = 0, phase = 0, radial(3) = 0, normal(3) = 0, medium(3) = 0
      real(real64), allocatable :: polynomial(:, :), amplitudes(:, :), rates(:), phases(:)
      logical, private :: begun = .false.
   end type

contains

   ! Reads the problem on standard input. One that has no formula here is skipped, which ends the program.
   subroutine read_problem(p)
      type(problem), intent(out) :: p
      character(:), allocatable :: line
      integer :: at, rows
      logical :: ended
      rows = 0
      allocate (p%polynomial(3, 0), p%amplitudes(3, 0), p%rates(0), p%phases(0))
      do ! lines `key = values`; a matrix is 9 numbers, row by row (the inertia is symmetric)
         call read_line(line, ended)
         if (ended) exit
         at = index(line, ' = ')
         if (at == 0) cycle
         associate (values => line(at + 3:))
            select case (line(:at - 1))
            case ('case');                          p%name = values
            case ('body.inertia');                  read (values, *) p%inertia
            case ('body.principal.moments');        read (values, *) p%moments
            case ('body.principal.quaternion');     read (values, *) p%axes
            case ('initial.quaternion');            read (values, *) p%q
            case ('initial.angular_velocity_body'); read (values, *) p%w
            case ('start');                         read (values, *) p%start
            case ('step');                          read (values, *) p%step
            case ('rows');                          read (values, *) rows
            case ('times');                         allocate (p%times(rows)); read (values, *) p%times
            case ('torque.model');                  p%model = values
            case ('torque.frame');                  p%frame = values
            case ('torque.weight');                 read (values, *) p%weight
            case ('torque.lever');                  read (values, *) p%lever
            case ('torque.up');                     read (values, *) p%up
            case ('torque.torque');                 read (values, *) p%torque
            case ('torque.rate');                   read (values, *) p%rate
            case ('torque.from');                   read (values, *) p%from
            case ('torque.until');                  read (values, *) p%until
            case ('torque.linear');                 read (values, *) p%linear
            case ('torque.quadratic');              read (values, *) p%quadratic
            case ('torque.phase');                  read (values, *) p%phase
            case ('torque.radial');                 read (values, *) p%radial
            case ('torque.medium');                 read (values, *) p%medium
            case ('torque.normal');                 read (values, *) p%normal
            case ('torque.polynomial');             p%polynomial = reshape(numbers(values), [3, count_of(values) / 3])
            case ('torque.amplitudes');             p%amplitudes = reshape(numbers(values), [3, count_of(values) / 3])
            case ('torque.rates');                  p%rates = numbers(values)
            case ('torque.phases');                 p%phases = numbers(values)
            case ('torque.amplitude') ! a number for a breathing body, and a vector for a pulse
               if (count_of(values) == 1) then
                  read (values, *) p%amplitude(1)
               else
                  read (values, *) p%amplitude
               end if
            end select
         end associate
      end do
      if (.not. allocated(p%times)) then
         write (error_unit, '(a)') 'no text problem on standard input; `topsim judge --protocol text` writes it'
         stop 1
      end if
      select case (p%model)
      case ('none', 'gravity', 'constant', 'loaded_gravity', 'sin2_pulse', 'in_time', 'damping', 'gyrostat', &
            'axis_damping', 'breathing', 'gravity_gradient')
      case default
         call skip('topsim_solver.f90 does not know the torque ' // trim(p%model))
      end select
      p%inertia_inverse(:, 1) = cross(p%inertia(:, 2), p%inertia(:, 3))
      p%inertia_inverse(:, 2) = cross(p%inertia(:, 3), p%inertia(:, 1))
      p%inertia_inverse(:, 3) = cross(p%inertia(:, 1), p%inertia(:, 2))
      p%inertia_inverse = p%inertia_inverse / dot_product(p%inertia(:, 1), p%inertia_inverse(:, 1))
   end subroutine

   ! Ends the program because the solver cannot do this problem, which is no failure; the reason is shown.
   subroutine skip(reason)
      character(*), intent(in) :: reason
      print '(3a)', '{"skip": "', reason, '"}'
      stop
   end subroutine

   ! Number of steps from the start to the time of a row.
   pure integer function step_of(p, row)
      type(problem), intent(in) :: p
      integer, intent(in) :: row
      step_of = nint((p%times(row) - p%start) / p%step)
   end function

   ! Torque in the body frame, N m, at a time, an attitude and an angular velocity (body frame).
   pure function torque(p, t, q, w) result(tau)
      type(problem), intent(in) :: p
      real(real64), intent(in) :: t, q(4), w(3)
      real(real64) :: tau(3), rotor(3), slope(3), momentum(3), x, r(3)
      tau = 0
      select case (p%model)
      case ('gravity')
         tau = weight(p, q)
      case ('constant')
         tau = framed(p, q, p%torque)
      case ('loaded_gravity')
         tau = weight(p, q) + framed(p, q, p%torque)
      case ('sin2_pulse')
         if (t >= p%from .and. t <= p%until) tau = framed(p, q, sin(p%rate * t)**2 * p%amplitude)
      case ('in_time')
         call in_time(p, t, rotor, slope)
         tau = framed(p, q, rotor)
      case ('damping')
         momentum = matmul(p%inertia, w)
         tau = -(p%linear + p%quadratic * norm2(momentum)) * momentum
      case ('gyrostat')
         call in_time(p, t, rotor, slope)
         tau = weight(p, q) + cross(rotor, w) - slope
      case ('axis_damping')
         call in_time(p, t, rotor, slope)
         tau = rotor * (to_body(q, p%medium) - w)
      case ('breathing')
         x = p%rate * t + p%phase
         tau = -p%amplitude(1) * p%rate * cos(x) / (1 + p%amplitude(1) * sin(x)) * matmul(p%inertia, w)
      case ('gravity_gradient')
         r = to_body(q, cos(p%rate * t) * p%radial + sin(p%rate * t) * cross(p%normal, p%radial))
         tau = 3 * p%rate**2 * cross(r, matmul(p%inertia, r))
      end select
   end function

   pure function weight(p, q) result(tau)
      type(problem), intent(in) :: p
      real(real64), intent(in) :: q(4)
      real(real64) :: tau(3)
      tau = cross(p%lever, -p%weight * to_body(q, p%up))
   end function

   pure function framed(p, q, c) result(tau)
      type(problem), intent(in) :: p
      real(real64), intent(in) :: q(4), c(3)
      real(real64) :: tau(3)
      tau = c
      if (p%frame == 'space') tau = to_body(q, c)
   end function

   ! A vector that powers of the time and sines give, and its derivative.
   pure subroutine in_time(p, t, c, d)
      type(problem), intent(in) :: p
      real(real64), intent(in) :: t
      real(real64), intent(out) :: c(3), d(3)
      integer :: k
      c = 0
      d = 0
      do k = size(p%polynomial, 2), 1, -1
         d = d * t + c
         c = c * t + p%polynomial(:, k)
      end do
      do k = 1, size(p%rates)
         c = c + p%amplitudes(:, k) * sin(p%rates(k) * t + p%phases(k))
         d = d + p%amplitudes(:, k) * p%rates(k) * cos(p%rates(k) * t + p%phases(k))
      end do
   end subroutine

   ! Prints a row: the time, the attitude and the angular velocity in the body frame.
   subroutine write_row(p, t, q, w)
      type(problem), intent(inout) :: p
      real(real64), intent(in) :: t, q(4), w(3)
      if (.not. p%begun) print '(a)', 't,qw,qx,qy,qz,W1,W2,W3'
      p%begun = .true.
      print '(es24.16e3, 7(",", es24.16e3))', t, q, w
   end subroutine

   ! Prints a row of a code in principal axes: the attitude of these axes, and the angular velocity in space.
   subroutine write_principal(p, t, q, w_space)
      type(problem), intent(inout) :: p
      real(real64), intent(in) :: t, q(4), w_space(3)
      if (.not. p%begun) print '(a)', 't,qw,qx,qy,qz,omega_x,omega_y,omega_z'
      p%begun = .true.
      print '(es24.16e3, 7(",", es24.16e3))', t, quaternion_product(q, [p%axes(1), -p%axes(2:4)]), w_space
   end subroutine

   pure function cross(a, b) result(c)
      real(real64), intent(in) :: a(3), b(3)
      real(real64) :: c(3)
      c = cshift(a, 1) * cshift(b, 2) - cshift(a, 2) * cshift(b, 1)
   end function

   ! The quaternion p q: first the turn q, then the turn p.
   pure function quaternion_product(p, q) result(r)
      real(real64), intent(in) :: p(4), q(4)
      real(real64) :: r(4)
      r(1) = p(1) * q(1) - dot_product(p(2:4), q(2:4))
      r(2:4) = p(1) * q(2:4) + q(1) * p(2:4) + cross(p(2:4), q(2:4))
   end function

   ! R v: components in space of a vector of the body.
   pure function to_space(q, v) result(turned)
      real(real64), intent(in) :: q(4), v(3)
      real(real64) :: turned(3), c(3)
      c = 2 / dot_product(q, q) * cross(q(2:4), v)
      turned = v + q(1) * c + cross(q(2:4), c)
   end function

   ! transpose(R) v: components in the body of a vector of space.
   pure function to_body(q, v) result(turned)
      real(real64), intent(in) :: q(4), v(3)
      real(real64) :: turned(3)
      turned = to_space([q(1), -q(2:4)], v)
   end function

   ! Rotation matrix of a quaternion.
   pure function matrix(q) result(r)
      real(real64), intent(in) :: q(4)
      real(real64) :: r(3, 3)
      integer :: i
      do i = 1, 3
         r(:, i) = to_space(q, real(cshift([1, 0, 0], 1 - i), real64))
      end do
   end function

   ! Unit quaternion of a rotation matrix, for a step that works on matrices.
   pure function quaternion(r) result(q)
      real(real64), intent(in) :: r(3, 3)
      real(real64) :: q(4), trace
      integer :: i, j, k
      trace = r(1, 1) + r(2, 2) + r(3, 3)
      i = maxloc([r(1, 1), r(2, 2), r(3, 3)], 1)
      j = mod(i, 3) + 1
      k = mod(j, 3) + 1
      if (trace > r(i, i)) then
         q = [1 + trace, r(3, 2) - r(2, 3), r(1, 3) - r(3, 1), r(2, 1) - r(1, 2)]
      else
         q(1) = r(k, j) - r(j, k)
         q(1 + i) = 1 + r(i, i) - r(j, j) - r(k, k)
         q(1 + j) = r(j, i) + r(i, j)
         q(1 + k) = r(k, i) + r(i, k)
      end if
      q = q / norm2(q)
   end function

   ! Reads a line of any length.
   subroutine read_line(line, ended)
      character(:), allocatable, intent(out) :: line
      logical, intent(out) :: ended
      character(4096) :: part
      integer :: status, length
      line = ''
      do
         read (*, '(a)', advance='no', size=length, iostat=status) part
         line = line // part(:length)
         if (status /= 0) exit
      end do
      ended = is_iostat_end(status)
   end subroutine

   ! Number of words of a text.
   pure integer function count_of(text)
      character(*), intent(in) :: text
      integer :: i
      count_of = 0
      do i = 1, len(text)
         if (text(i:i) == ' ') cycle
         if (i == 1) then
            count_of = count_of + 1
         else if (text(i - 1:i - 1) == ' ') then
            count_of = count_of + 1
         end if
      end do
   end function

   ! The numbers of a text.
   function numbers(text) result(all)
      character(*), intent(in) :: text
      real(real64), allocatable :: all(:)
      allocate (all(count_of(text)))
      if (size(all) > 0) read (text, *) all
   end function
end module
