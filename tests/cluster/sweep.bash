# shellcheck shell=bash disable=SC2034,SC2154
# What the tests of docs/cluster.md's lines share: a folder with macrobench where the lines expect it, a sweep in the
# place of their `replicate --budget none`, and whether all its parts are there at the end.

# shellcheck source=tests/tools/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/../tools/expect.bash"
cd "$scratch" || exit
mkdir build
ln -s "$macrobench" build/macrobench
sweep="sweep newton --implementations serial --n 64..4096 --real 'double,single' --sample-seconds 0.01"

# find_line BEGIN: the document's line that begins so, with the sweep in it, in `line`.
find_line() {
  line=$(grep -E "^    $1 .*--part" "$root/docs/cluster.md")
  [[ $line == *'replicate --budget none'* ]] || complain "the line is not what this test knows: $line"
  line=${line/replicate --budget none/$sweep}
}

expect_whole_sweep() {
  run "$macrobench" merge --results results --json
  expect_code 0
  run bash -c "$macrobench $sweep --dry-run --json"
  local cases records
  cases=$(grep -c '"key"' <<<"$output")
  records=$(cat results/*/records.jsonl | grep -o '"key":"[^"]*"' | sort -u | wc -l)
  [[ $cases -gt 8 && $records == "$cases" ]] || complain "$cases cases, $records in the records"
}
