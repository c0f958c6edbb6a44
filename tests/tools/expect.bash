# shellcheck shell=bash disable=SC2034,SC2154
# What the tests of the tools share: a scratch folder, a run that is kept, and the checks of its output.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
code=0
output=

# run COMMAND...: keeps its exit code in `code` and all it says in `output`.
run() {
  code=0
  output=$("$@" 2>&1 </dev/null) || code=$?
}

complain() {
  failures=$((failures + 1))
  printf 'FAILED: %s: %s\n--- exit code %s, output:\n%s\n' "$case" "$1" "$code" "$output"
}

# expect_code CODE [TEXT...]: this exit code, and each of these texts in the output.
expect_code() {
  [[ $code == "$1" ]] || complain "expected exit code $1"
  expect_output "${@:2}"
}
expect_output() {
  local text
  for text; do [[ $output == *"$text"* ]] || complain "expected '$text' in the output"; done
}
refuse_output() {
  local text
  for text; do [[ $output != *"$text"* ]] || complain "did not expect '$text' in the output"; done
}
expect_no_output() { [[ -z $output ]] || complain 'expected no output'; }

# command_in FOLDER NAME [LINES]: puts a command of that name there, which does what the lines say.
command_in() {
  mkdir -p "$1"
  printf '#!%s\n%s\n' "$BASH" "${3:-}" >"$1/$2"
  chmod +x "$1/$2"
}

finish() {
  if ((failures == 0)); then echo 'All as expected.'; fi
  exit $((failures > 0))
}
