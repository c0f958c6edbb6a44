# shellcheck shell=bash
# Progress of a command that takes minutes, for scripts that source this: on a terminal one line that is
# rewritten; elsewhere, as in a log, a plain line at each tenth.

on_terminal='' columns=80 tenth=0
if [[ -t 1 && ${TERM:-dumb} != dumb ]]; then
  on_terminal=yes
  read -r _ columns < <(stty -F /dev/tty size 2>/dev/null) || true
  ((columns > 20)) || columns=80
fi

# progress WORD DONE TOTAL DETAIL: "Compiled 56 of 280"; the detail is for terminals.
progress() {
  if [[ -n $on_terminal ]]; then
    local line="$1 $2 of $3: $4"
    printf '\r\033[K%s' "${line:0:columns-1}"
  elif (($3 >= 20 && $2 < $3 && 10 * $2 / $3 > tenth)); then
    tenth=$((10 * $2 / $3))
    echo "$1 $2 of $3"
  fi
}

# Removes the line: what is printed next is to stay.
end_progress() { [[ -z $on_terminal ]] || printf '\r\033[K'; }

# duration SECONDS: "48 s", "11 min 3 s"
duration() { if (($1 < 60)); then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi; }
