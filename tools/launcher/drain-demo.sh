# shellcheck shell=bash
# `./lapwing demo --drain`: a fault on a simulated node of a real Slurm, from the alert to the return. Sourced by the
# launcher. Exits with 0 only if each step that it announces happened.

demo_drain() { # POLL, if the agents are polled instead of waiting for Alertmanager
  local poll=$1 begun verdict drained
  ((EUID == 0)) || die 1 '`demo --drain` starts a Slurm of its own, which needs root: sudo ./lapwing demo --drain'
  need slurm prometheus alertmanager perl
  build
  new_scratch
  demo=$folder
  chmod 0755 "$demo" # slurmd's programs
  node=$(hostname -s)
  host=$(getent ahostsv4 "$node" | sed -n '1s/ .*//p')
  [[ -n $host ]] || die 1 "the name of this machine, $node, has no address: a line in /etc/hosts gives it one"
  agent_port=$(free_port) drain_port=$(free_port)

  event "a Slurm of one node with eight GPUs: $(slurmctld -V)"
  start_slurm "$demo" "$node" || die 1 "Slurm does not start: $(tail -n 5 "$demo/daemons.log")"
  await 60 'the node is idle' in_slurm 'State=IDLE'
  prepare_faults
  if [[ -z $poll ]]; then start_alerting; fi
  event 'the controller: lapwing drain run, in mode act'
  start_controller $poll
  await 60 'the controller is ready' controller_is_ready

  job=$(sbatch --parsable --gres=gpu:2 --output=/dev/null --time=20 --wrap="until [ -e $demo/job-may-end ]; do sleep 0.2; done; echo ended >$demo/job-ended")
  await 60 'the job runs' job_runs
  event "job $job runs on $node"
  start_simulated "$demo/fault.yml"
  event "the agent of $node: $(summary); GPU 5 falls off the bus within 10 s"

  await 120 'a failing verdict' agent_says failing
  verdict=${EPOCHREALTIME/./}
  event "the agent of $node: $(summary)"
  await 300 'the node is drained' in_slurm '+DRAIN'
  drained=${EPOCHREALTIME/./}
  event "drained $(((drained - verdict) / 1000)) ms after the verdict: $(shown_by_slurm)"
  in_slurm 'Reason=lapwing-drain ' || failed 'the reason is not that of the controller'
  job_runs || failed "job $job was ended"
  kill_controller
  await 60 'it goes on' status_says 'waiting_for_jobs (held)'
  event "it goes on: $(status_of_node)"
  job_runs || failed "job $job was ended"

  touch "$demo/job-may-end"
  await 60 'the end of the job' test -e "$demo/job-ended"
  event "job $job has ended by itself"
  await 60 'the replacement' test -e "$demo/replacements"
  kill_controller
  event "the node is replaced: $(of_health instance_id) leaves"
  stop "$slurmd"
  start_simulated "$demo/replaced.yml" replaced
  start_slurmd
  event "the node is replaced: $(of_health instance_id) is there"
  await 120 'the return' in_slurm 'State=IDLE '
  event "back: $(shown_by_slurm)"
  await 60 'the end in the journal' history_says 'back in service'
  [[ $(wc -l <"$demo/replacements") == 1 ]] || failed "it was replaced more than once: $(<"$demo/replacements")"

  event 'a person drains the node; it falls ill again'
  scontrol update NodeName="$node" State=DRAIN Reason='new PSU, ask Kim'
  start_simulated "$demo/fault.yml"
  await 120 'a failing verdict' agent_says failing
  # Alertmanager does not notify again so soon.
  ask_controller request "$node" --action replace_node --reason 'the GPU is lost again' >/dev/null
  await 60 'the refusal' status_says 'another user has taken the node out of service: new PSU, ask Kim'
  event "left alone: $(status_of_node)"
  in_slurm 'Reason=new PSU, ask Kim' || failed 'the reason was overwritten'
  event "Slurm: $(shown_by_slurm)"
  event 'the decisions, by `lapwing drain history`:'
  ask_controller history --since=1h >&2
  scancel --user=root
}

event() { printf '%(%H:%M:%S)T  %s\n' -1 "$*" >&2; }

failed() {
  say "$(tail -n 5 "$demo"/*.log)"
  die 1 "the demo failed: $*"
}

# await SECONDS WHAT COMMAND...
await() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    ((SECONDS < end)) || failed "not seen in time: $what"
    sleep 0.05
  done
}

# --- Slurm ------------------------------------------------------------------------------------------------------

in_slurm() { [[ "$(scontrol --oneliner show node "$node") " == *"$1"* ]]; }
shown_by_slurm() { scontrol --oneliner show node "$node" | grep -o 'State=[^ ]*\|Reason=.*' | tr '\n' ' '; }
job_runs() { [[ $(squeue --noheader --format=%t --jobs="$job" 2>/dev/null) == R ]]; }

# --- The node and its agent -------------------------------------------------------------------------------------

# Without the reboot that repairs the shipped scenario: here only the replacement does.
prepare_faults() {
  sed '/^  - at: 90s/,$d' "$root/tools/simulator/src/main/resources/io/lapwing/simulator/scenarios/xid-79.yaml" >"$demo/fault.yml"
  printf 'summary: another instance\nsteps:\n  - {at: 0s, replace: true}\n' >"$demo/replaced.yml"
  cat >"$demo/replace" <<PROGRAM
#!/bin/sh
cat >>"$demo/replacements"
PROGRAM
  chmod 0755 "$demo/replace"
}

# start_simulated SCENARIO [replaced]: replaces the node and its agent by a node in that scenario and its agent.
start_simulated() {
  local before
  before=$(instance)
  if [[ -n ${agent:-} ]]; then
    stop "$agent"
    stop "$simulator"
    rm -rf "$demo/agent-state"
  fi
  start_node "$demo" --instance-type p5.48xlarge --scenario "$1" || exit
  simulator=${children[-1]}
  # The agent must not see the previous instance.
  if [[ -n ${2:-} ]]; then await 60 'another instance' is_another_than "$before"; fi
  "${tied[@]}" "${agent_command[@]}" agent "${node_flags[@]}" --node.hostname="$node" \
    --web.listen-address="$host:$agent_port" </dev/null 2>>"$demo/agent.log" &
  agent=$!
  children+=("$agent")
  await 60 'the agent is ready' agent_is_ready
}


# Id and boot of the instance, once it has booted: the boot id comes last.
instance() { cat "$demo"/node/sys/class/dmi/id/board_asset_tag "$demo"/node/proc/sys/kernel/random/boot_id 2>/dev/null || true; }
is_another_than() {
  local now
  now=$(instance)
  [[ $(wc -w <<<"$now") == 2 && ${now%%$'\n'*} != "${1%%$'\n'*}" && ${now##*$'\n'} != "${1##*$'\n'}" ]]
}
agent_is_ready() { [[ $(http_get "$host:$agent_port" /-/ready 2>/dev/null) == *' 200 '* ]]; }
# of_health FIELD: the first of that name.
of_health() {
  http_get "$host:$agent_port" /api/v1/health 2>/dev/null | sed -n 's/.*"'"$1"'" *: *"\([^"]*\)".*/\1/p' | sed -n 1p
}
agent_says() { [[ $(of_health verdict) == "$1" ]]; }
summary() { echo "$(of_health verdict), $(of_health action): $(of_health summary)"; }

# --- Alerts -----------------------------------------------------------------------------------------------------

# The shipped rules and routes, with two seconds in place of the longer waits.
start_alerting() {
  event 'Prometheus and Alertmanager, with the shipped rules and routes'
  mkdir -m 0700 "$demo/servers"
  head -c 18 /dev/urandom | base64 | tr -d '\n' >"$demo/servers/password"
  "${tied[@]}" "$java_home/bin/java" "${small_jvm[@]}" -jar "$stack_jar" --repository="$root" --folder="$demo/servers" \
    --address="http://$host:$agent_port" --node="$node" --patience=PT2S \
    --automation="http://127.0.0.1:$drain_port/api/v1/alerts" --password-file="$demo/servers/password" </dev/null &
  children+=($!)
}

# --- The controller ---------------------------------------------------------------------------------------------

# start_controller FLAGS...: prints its decisions.
start_controller() {
  local web=()
  controller_flags=("$@")
  if [[ -e $demo/servers/password ]]; then
    # shellcheck disable=SC2016 # for perl
    printf 'basic_auth_users: {alertmanager: %s}\n' "$(perl -e '
      my $salt = join "", map { ("a".."z", "A".."Z", 0..9)[rand 62] } 1..21;
      print crypt <STDIN>, "\$2b\$10\$${salt}u"' <"$demo/servers/password")" >"$demo/drain-web.yml"
    web=(--web.config.file="$demo/drain-web.yml")
  fi
  "${tied[@]}" "${drain_command[@]}" run --interval=1s --path.state="$demo/drain-state" --scheduler=slurm \
    --slurm.conf="$SLURM_CONF" --agent.address="http://{node}:$agent_port" --mode.drain=act --mode.replace=act \
    --repairs.replace="exec:$demo/replace" --policy.simulated --policy.healthy-for=10s \
    --web.listen-address="127.0.0.1:$drain_port" --web.unix-socket="$demo/drain.sock" "${web[@]}" "$@" \
    </dev/null 2> >(tell_decisions) &
  controller=$!
  children+=("$controller")
}

kill_controller() {
  event 'the controller is killed (SIGKILL), and started again'
  kill -KILL "$controller"
  wait "$controller" 2>/dev/null || true
  start_controller "${controller_flags[@]}"
}

tell_decisions() {
  local line
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$demo/drain.log"
    line=$(sed -n -e 's/.*msg=decided node=\([^ ]*\) what=\("[^"]*"\|[^ ]*\) phase=\([^ ]*\) .*/\1 \3: \2/p' <<<"$line")
    if [[ -n $line ]]; then event "  lapwing drain: ${line//\"/}"; fi
  done
}

ask_controller() { "${drain_command[@]}" "$@" --web.unix-socket="$demo/drain.sock"; }
controller_is_ready() { [[ $(ask_controller status 2>/dev/null) == modes:* ]]; }
status_says() { [[ $(ask_controller status 2>/dev/null) == *"$1"* ]]; }
status_of_node() { ask_controller status | grep -A 1 "^$node " | tr -s '\n ' ' '; }
history_says() { [[ $(ask_controller history --since=1h 2>/dev/null) == *"$1"* ]]; }
