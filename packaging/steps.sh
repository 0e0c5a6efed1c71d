# shellcheck shell=bash
# A long test in steps, for bash scripts that source this. A step is a function step_NAME.
#   run_steps FOLDER NAME...
# Runs the steps in this order. A step that fails does not stop the others. FOLDER/NAME.log has what a step printed.
# A step that passed for the commit checked out is not run again, so that a run that was interrupted goes on where it
# stopped; with uncommitted changes all are run. Ends with 1 if a step failed, and with a list of all in any case: also
# of how many tests were skipped within a step.

# The commit that was tested, or nothing if the working tree differs from it.
tested_commit() { [ -n "$(git status --porcelain)" ] || git rev-parse HEAD; }

run_steps() {
  local folder=$1 name commit status started minutes skipped failed=0 outcomes=()
  shift
  mkdir -p "$folder"
  commit=$(tested_commit)
  for name; do
    printf '\n== %s\n' "$name"
    if [ -n "$commit" ] && [ "$(cat "$folder/$name.passed" 2>/dev/null)" = "$commit" ]; then
      echo "passed before for this commit ($folder/$name.log)"
      outcomes+=("$name: passed before")
      continue
    fi
    rm -f "$folder/$name.passed"
    started=$SECONDS
    # Not in a condition: there, bash would ignore set -e within the step.
    set +e
    (set -e; "step_$name") 2>&1 | tee "$folder/$name.log"
    status=${PIPESTATUS[0]}
    set -e
    minutes=$(((SECONDS - started + 30) / 60))
    if [ "$status" -eq 0 ]; then
      # As ctest lists them at the end, and as our own tests say it.
      skipped=$(grep -cE '\(Skipped\)$|^SKIPPED' "$folder/$name.log" || true)
      outcomes+=("$name: passed in $minutes min")
      [ "$skipped" -eq 0 ] || outcomes[-1]+=", $skipped skipped"
      # Changes made meanwhile were perhaps tested, perhaps not.
      [ -z "$commit" ] || [ "$(tested_commit)" != "$commit" ] || echo "$commit" >"$folder/$name.passed"
    else
      outcomes+=("$name: FAILED with status $status after $minutes min, see $folder/$name.log")
      failed=$((failed + 1))
    fi
  done
  printf '\n== %s steps, %s failed%s\n' "$#" "$failed" "${commit:+, commit $commit}"
  printf '%s\n' "${outcomes[@]}"
  [ "$failed" -eq 0 ]
}
