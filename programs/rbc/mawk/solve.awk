# The RBC model by value function iteration in awk, loop by loop; w(i) is what a choice is worth.
# Awk reads and writes no binary numbers: arrays are text. See docs/programs.md.
function answer(text) { print "mb1 " text; fflush() }
function u(c) { return p == 0 ? log(c) : c ^ p / p }
function read_array(file, into,   line, n) {
  n = 0
  while ((getline line < file) > 0) into[n++] = line + 0
  close(file)
  return n
}
function load(folder,   line, field, ok) {
  ok = 0
  while ((getline line < (folder "/problem.txt")) > 0) { split(line, field, " "); x[field[1]] = field[2]; ok = 1 }
  close(folder "/problem.txt")
  if (!ok) return 0
  return read_array(folder "/K.txt", K) == x["nk"] && read_array(folder "/Z.txt", Z) == x["nz"] &&
         read_array(folder "/P.txt", P) == x["nz"] ^ 2 && read_array(folder "/V0.txt", V0) == x["nz"]
}
function w(i) { return u(r - K[i]) + e[i] }
function solve(   i, j, l, n, low, high, m, s, d) {
  nk = x["nk"]; nz = x["nz"]; p = 1 - x["gamma"]
  for (j = 0; j < nz; j++) for (i = 0; i < nk; i++) V[j * nk + i] = V0[j]
  iterations = 0; difference = 1e300
  while (difference >= x["tolerance"] + 0 && iterations < x["iteration_cap"] + 0) {
    difference = 0
    for (j = 0; j < nz; j++) {
      for (i = 0; i < nk; i++) {
        e[i] = 0
        for (l = 0; l < nz; l++) e[i] += P[j * nz + l] * V[l * nk + i]
        e[i] *= x["beta"]
      }
      n = 0
      for (i = 0; i < nk; i++) {
        r = Z[j] * K[i] ^ x["alpha"] + (1 - x["delta"]) * K[i]
        while (n + 1 < nk && K[n + 1] <= r) n++
        low = 0; high = n
        while (high - low > 2) {
          m = int((low + high) / 2)
          if (w(m + 1) > w(m)) low = m; else high = m + 1
        }
        best = w(low); at = low
        for (m = low + 1; m <= high; m++) if ((s = w(m)) > best) { best = s; at = m }
        N[j * nk + i] = best; policy[j * nk + i] = at
      }
    }
    for (i = 0; i < nk * nz; i++) {
      d = N[i] - V[i]; if (d < 0) d = -d
      if (d > difference) difference = d
      V[i] = N[i]
    }
    iterations++
  }
}
$1 == "hello" { answer("hello awk"); next }
$1 == "start" { answer("start CPU"); next }
$1 == "ping" { answer($0); next }
$1 == "load" {
  if (load(substr($0, 6 + length($2) + 1))) { id = $2; answer("load " id) } else answer("error cannot read " $3)
  next
}
$1 == "solve" { if ($2 == id) { solve(); answer($0) } else answer("error " $2 " was not loaded"); next }
$1 == "write" {
  f = $3
  for (i = 0; i < nk * nz; i++) { printf "%.17g\n", V[i] > (f "/V.txt"); print policy[i] > (f "/policy.txt") }
  printf "iterations %d\ndifference %.17g\nconverged %d\n", iterations, difference, (difference < x["tolerance"] + 0) > (f "/result.txt")
  close(f "/V.txt"); close(f "/policy.txt"); close(f "/result.txt")
  answer("write " $2); next
}
$1 == "bye" { answer("bye"); exit 0 }
{ answer("error unknown command") }
