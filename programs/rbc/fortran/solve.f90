! The RBC model by value function iteration: the loops of the serial C++, in Fortran.
! The conversation, macrobench-program/1, is at the end: see docs/programs.md.
module rbc
  use, intrinsic :: iso_fortran_env, only: real64, int32, output_unit
  implicit none

  type :: problem
    integer :: nk = 0, nz = 0, iteration_cap = 0
    real(real64) :: beta, gamma, alpha, delta, tolerance
    character(32) :: maximizer
    real(real64), allocatable :: K(:), Z(:), P(:, :), V0(:)  ! P(l, j): of Z_l after Z_j
  end type

  type :: solution
    integer :: iterations = 0
    real(real64) :: difference
    logical :: converged
    real(real64), allocatable :: V(:, :)          ! nk x nz
    integer(int32), allocatable :: policy(:, :)   ! from 1
  end type

contains

  elemental function utility(consumption, gamma) result(u)
    real(real64), intent(in) :: consumption, gamma
    real(real64) :: u
    if (gamma == 1) then
      u = log(consumption)
    else
      u = consumption**(1 - gamma) / (1 - gamma)
    end if
  end function

  ! Upwards from the choice at the capital below, until a choice is no better than the one before it.
  pure subroutine walk(available, K, expected, gamma, V, policy)
    real(real64), intent(in), contiguous :: available(:), K(:), expected(:)
    real(real64), intent(in) :: gamma
    real(real64), intent(out), contiguous :: V(:)
    integer(int32), intent(out), contiguous :: policy(:)
    real(real64) :: most, its
    integer :: i, choice, best

    best = 1
    do i = 1, size(K)
      most = utility(available(i) - K(best), gamma) + expected(best)
      do choice = best + 1, size(K)
        if (K(choice) > available(i)) exit
        its = utility(available(i) - K(choice), gamma) + expected(choice)
        if (its <= most) exit
        best = choice
        most = its
      end do
      V(i) = most
      policy(i) = best
    end do
  end subroutine

  function solve(of) result(s)
    type(problem), intent(in) :: of
    type(solution) :: s
    real(real64) :: V0(of%nk, of%nz), expected(of%nk, of%nz), resources, most, its
    real(real64), allocatable :: available(:, :)
    integer :: i, j, low, high, middle, choice, best, last
    logical :: howard, walks, maximise

    howard = of%maximizer == 'grid_howard'
    walks = of%maximizer == 'first_decline'
    ! A walk takes few steps at a state: the power of its capital is computed once for all iterations.
    if (walks) then
      allocate (available(of%nk, of%nz))
      do j = 1, of%nz
        available(:, j) = of%Z(j) * of%K**of%alpha + (1 - of%delta) * of%K
      end do
    end if
    allocate (s%V(of%nk, of%nz), s%policy(of%nk, of%nz))
    s%policy = 1
    do j = 1, of%nz
      V0(:, j) = of%V0(j)
    end do
    s%difference = huge(1.0_real64)
    do while (s%difference >= of%tolerance .and. s%iterations < of%iteration_cap)
      expected = of%beta * matmul(V0, of%P)
      maximise = .not. howard .or. s%iterations < 3 .or. mod(s%iterations, 20) == 0
      do j = 1, of%nz
        if (walks) then
          call walk(available(:, j), of%K, expected(:, j), of%gamma, s%V(:, j), s%policy(:, j))
          cycle
        end if
        last = 1
        do i = 1, of%nk
          resources = of%Z(j) * of%K(i)**of%alpha + (1 - of%delta) * of%K(i)
          if (.not. maximise) then
            choice = s%policy(i, j)
            s%V(i, j) = utility(resources - of%K(choice), of%gamma) + expected(choice, j)
            cycle
          end if
          ! Resources rise in K, and so does the last choice that is feasible.
          do while (last < of%nk)
            if (of%K(last + 1) > resources) exit
            last = last + 1
          end do
          low = 1
          high = last
          if (.not. howard) then
            ! Heer and Maussner (2005, p. 26): bisect until three choices are left.
            do while (high - low > 2)
              middle = (low + high) / 2
              if (utility(resources - of%K(middle + 1), of%gamma) + expected(middle + 1, j) > &
                  utility(resources - of%K(middle), of%gamma) + expected(middle, j)) then
                low = middle
              else
                high = middle + 1
              end if
            end do
          end if
          best = low
          most = utility(resources - of%K(low), of%gamma) + expected(low, j)
          do choice = low + 1, high
            its = utility(resources - of%K(choice), of%gamma) + expected(choice, j)
            if (its > most) then
              best = choice
              most = its
            end if
          end do
          s%V(i, j) = most
          s%policy(i, j) = best
        end do
      end do
      s%difference = maxval(abs(s%V - V0))
      V0 = s%V
      s%iterations = s%iterations + 1
    end do
    s%converged = s%difference < of%tolerance
  end function

  subroutine read_array(file, values, status)
    character(*), intent(in) :: file
    real(real64), intent(out) :: values(:)
    integer, intent(out) :: status
    integer :: unit
    open (newunit=unit, file=file, access='stream', form='unformatted', status='old', action='read', &
          iostat=status)
    if (status /= 0) return
    read (unit, iostat=status) values
    close (unit)
  end subroutine

  subroutine load(folder, one, status)
    character(*), intent(in) :: folder
    type(problem), intent(out) :: one
    integer, intent(out) :: status
    character(256) :: name, value
    integer :: unit, states(4)
    real(real64), allocatable :: transitions(:)

    open (newunit=unit, file=folder // '/problem.txt', status='old', action='read', iostat=status)
    if (status /= 0) return
    do
      read (unit, *, iostat=status) name, value
      if (status /= 0) exit
      select case (name)
      case ('nk'); read (value, *) one%nk
      case ('nz'); read (value, *) one%nz
      case ('iteration_cap'); read (value, *) one%iteration_cap
      case ('beta'); read (value, *) one%beta
      case ('gamma'); read (value, *) one%gamma
      case ('alpha'); read (value, *) one%alpha
      case ('delta'); read (value, *) one%delta
      case ('tolerance'); read (value, *) one%tolerance
      case ('maximizer'); one%maximizer = value
      end select
    end do
    close (unit)
    allocate (one%K(one%nk), one%Z(one%nz), one%V0(one%nz), transitions(one%nz**2))
    call read_array(folder // '/K.bin', one%K, states(1))
    call read_array(folder // '/Z.bin', one%Z, states(2))
    call read_array(folder // '/P.bin', transitions, states(3))
    call read_array(folder // '/V0.bin', one%V0, states(4))
    one%P = reshape(transitions, [one%nz, one%nz])
    status = maxval(abs(states))
  end subroutine

  subroutine write_result(folder, s, status)
    character(*), intent(in) :: folder
    type(solution), intent(in) :: s
    integer, intent(out) :: status
    integer :: unit
    open (newunit=unit, file=folder // '/V.bin', access='stream', form='unformatted', iostat=status)
    if (status /= 0) return
    write (unit) s%V
    close (unit)
    open (newunit=unit, file=folder // '/policy.bin', access='stream', form='unformatted')
    write (unit) s%policy - 1_int32
    close (unit)
    open (newunit=unit, file=folder // '/result.txt')
    write (unit, '(a, i0)') 'iterations ', s%iterations
    write (unit, '(a, es24.16e3)') 'difference ', s%difference
    write (unit, '(a, i0)') 'converged ', merge(1, 0, s%converged)
    close (unit)
  end subroutine

end module

program answers
  use rbc
  use, intrinsic :: iso_fortran_env, only: compiler_version
  implicit none
  integer, parameter :: most = 1000
  type(problem) :: problems(most)
  type(solution) :: solutions(most)
  character(8) :: ids(most), id
  character(16384) :: line
  character(16) :: command
  logical :: was_written = .false.
  integer :: count = 0, status, at, place

  do
    read (*, '(a)', iostat=status) line
    if (status /= 0) exit
    place = scan(trim(line) // ' ', ' ')
    command = line(:place - 1)
    id = line(place + 1:)
    select case (command)
    case ('hello'); call answer('hello Fortran, ' // compiler_version())
    case ('start'); call answer('start CPU, 1 thread')
    case ('ping'); call answer(trim(line))
    case ('load')
      if (was_written .or. count == most) count = 0
      was_written = .false.
      call load(trim(line(place + 1 + len_trim(id) + 1:)), problems(count + 1), status)
      if (status > 0) then
        call answer('error the problem cannot be read')
        cycle
      end if
      count = count + 1
      ids(count) = id
      call answer('load ' // id)
    case ('solve')
      status = 0
      do while (place < len_trim(line))
        id = line(place + 1:)
        at = findloc(ids(:count), id, dim=1)
        if (at == 0) then
          status = 1
          exit
        end if
        solutions(at) = solve(problems(at))
        place = place + 9
      end do
      if (status == 0) then
        call answer(trim(line))
      else
        call answer('error that problem was not loaded')
      end if
    case ('write')
      was_written = .true.
      at = findloc(ids(:count), id, dim=1)
      status = 1
      if (at > 0) call write_result(trim(line(place + 10:)), solutions(at), status)
      if (status == 0) then
        call answer('write ' // id)
      else
        call answer('error the result cannot be written')
      end if
    case ('bye')
      call answer('bye')
      exit
    case default
      call answer('error unknown command')
    end select
  end do

contains

  subroutine answer(text)
    character(*), intent(in) :: text
    write (output_unit, '(a)') 'mb1 ' // text
    flush (output_unit)
  end subroutine

end program
