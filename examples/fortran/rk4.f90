! A solver for `topsim judge CASE --solver ./rk4 --protocol text`, in Fortran 2008:
!
!     gfortran -std=f2008 -O2 -o rk4 examples/fortran/rk4.f90
!     topsim judge --all --solver ./rk4 --protocol text --claim order=4
!
! Runge and Kutta's method of order 4 on the quaternion and the angular velocity in the body frame.
program rk4
   use, intrinsic :: iso_fortran_env, only: error_unit, real64
   implicit none
   real(real64) :: inertia(3, 3), inverse(3, 3), y(7), k1(7), k2(7), k3(7), k4(7)
   real(real64) :: start, h, t, weight = 0, lever(3) = 0, up(3) = 0, torque(3) = 0
   real(real64), allocatable :: times(:)
   character(40) :: key, model = 'of a given rate', frame = ''
   integer :: rows = 0, row, n = 0, status

   do ! a problem is lines `key = values`; a matrix is 9 numbers (the inertia is symmetric)
      call read_key(key, status)
      if (status /= 0) exit
      select case (key)
      case ('body.inertia');                  read (*, *) inertia
      case ('initial.quaternion');            read (*, *) y(1:4)
      case ('initial.angular_velocity_body'); read (*, *) y(5:7)
      case ('start');                         read (*, *) start
      case ('step');                          read (*, *) h
      case ('rows');                          read (*, *) rows
      case ('times');                         allocate (times(rows)); read (*, *) times
      case ('torque.model');                  read (*, '(a)') model
      case ('torque.frame');                  read (*, '(a)') frame
      case ('torque.weight');                 read (*, *) weight
      case ('torque.lever');                  read (*, *) lever
      case ('torque.up');                     read (*, *) up
      case ('torque.torque');                 read (*, *) torque
      case default;                           read (*, '(a)')
      end select
   end do
   if (rows == 0) then ! a problem as JSON, or none
      write (error_unit, '(a)') 'no text problem: use --protocol text'
      stop 1
   end if
   select case (model)
   case ('none', 'gravity', 'constant', 'loaded_gravity')
   case default ! The line says to topsim that this is no failure.
      print '(3a)', '{"skip": "the torque model ', trim(model), ' is not written here"}'
      stop
   end select
   inverse(:, 1) = cross(inertia(:, 2), inertia(:, 3))
   inverse(:, 2) = cross(inertia(:, 3), inertia(:, 1))
   inverse(:, 3) = cross(inertia(:, 1), inertia(:, 2))
   inverse = inverse / dot_product(inertia(:, 1), inverse(:, 1))

   print '(a)', 't,qw,qx,qy,qz,W1,W2,W3'
   do row = 1, rows
      do while (n < nint((times(row) - start) / h)) ! every time wanted is start + n h
         k1 = slope(y)
         k2 = slope(y + h / 2 * k1)
         k3 = slope(y + h / 2 * k2)
         k4 = slope(y + h * k3)
         y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
         y(1:4) = y(1:4) / norm2(y(1:4))
         n = n + 1
      end do
      t = start + n * h
      print '(es24.16e3, 7(",", es24.16e3))', t, y
   end do

contains

   subroutine read_key(key, status) ! leaves the values of the line to be read
      character(*), intent(out) :: key
      integer, intent(out) :: status
      character :: letter
      integer :: length
      key = ''
      length = 0
      do
         read (*, '(a)', advance='no', iostat=status) letter
         if (status /= 0) return
         if (letter == '=') exit
         length = length + 1
         if (length <= len(key)) key(length:length) = letter
      end do
      read (*, '(a)', advance='no', iostat=status) letter ! the blank after `=`
   end subroutine

   pure function cross(a, b) result(c)
      real(real64), intent(in) :: a(3), b(3)
      real(real64) :: c(3)
      c = cshift(a, 1) * cshift(b, 2) - cshift(a, 2) * cshift(b, 1)
   end function

   pure function to_body(q, v) result(turned) ! transpose(R) v
      real(real64), intent(in) :: q(4), v(3)
      real(real64) :: turned(3), c(3)
      c = 2 / dot_product(q, q) * cross(v, q(2:4))
      turned = v + q(1) * c + cross(c, q(2:4))
   end function

   function slope(y) result(s) ! q' = q (0, w) / 2;  J w' = cross(J w, w) + tau
      real(real64), intent(in) :: y(7)
      real(real64) :: s(7), w(3), moment(3), load(3)
      w = y(5:7)
      load = torque
      if (frame == 'space') load = to_body(y(1:4), torque)
      moment = cross(matmul(inertia, w), w) + cross(lever, -weight * to_body(y(1:4), up)) + load
      s(1) = -dot_product(y(2:4), w) / 2
      s(2:4) = (y(1) * w + cross(y(2:4), w)) / 2
      s(5:7) = matmul(inverse, moment)
   end function
end program
