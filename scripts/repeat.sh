#!/bin/bash
# repeat.sh RUNS SIDE LOOPS: `make test` RUNS times in a row on clean clones of what is committed, SIDE clones beside
# one another, and LOOPS busy loops beside them all the time. Says a line for each run; the first that fails ends it.
set -eum  # what runs behind is a process group each, which can be ended with all that it has begun
runs=$1 side=$2 loops=$3
revision=$(git rev-parse --short=10 HEAD)
folder=$(mktemp -d)
groups=()
end_all() { kill -- "${groups[@]/#/-}" 2> /dev/null || true; }
trap end_all EXIT
trap 'end_all; sleep 1; rm -rf "$folder"; exit 130' INT TERM

for _ in $(seq "$loops"); do
    while :; do :; done &
    groups+=($!)
done

# One clone's share: each SIDEth run.
share() {
    git clone -q . "$folder/$1"
    for run in $(seq "$1" "$side" "$runs"); do
        [ ! -e "$folder/failed" ] || return 0
        log=$folder/run-$run.log begun=$SECONDS result=passed
        CI=1 make -C "$folder/$1" test < /dev/null > "$log" 2>&1 || { result=FAILED; touch "$folder/failed"; }
        echo "run $run of $runs, $revision, beside $loops busy loops and $((side - 1)) other runs: $result in" \
            "$((SECONDS - begun)) s, load $(cut -d' ' -f1 /proc/loadavg); $(grep -E ' (passed|failed).* in ' "$log" || tail -n 1 "$log")"
    done
}
shares=()
for number in $(seq "$side"); do
    share "$number" &
    shares+=($!)
    groups+=($!)
done
wait "${shares[@]}"
[ ! -e "$folder/failed" ] || { echo "repeat: a run failed, the logs lie in $folder" >&2; exit 1; }
rm -rf "$folder"
