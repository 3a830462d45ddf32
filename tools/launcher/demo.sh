# shellcheck shell=bash
# The simulated node and `./lapwing demo`. Sourced by the launcher.

# start_node FOLDER FLAGS...: simulates a node in that folder and sets $node_flags to the agent's flags for it.
start_node() {
  local folder=$1 log=$1/simulator.log line=
  shift
  : >"$log"
  "${tied[@]}" "$java_home/bin/java" "${small_jvm[@]}" -jar "$simulator_jar" --play --out "$folder/node" "$@" \
    </dev/null >"$log" 2>&1 &
  children+=($!)
  until line=$(grep -m 1 -e '^--' "$log"); do
    if ! kill -0 "$!" 2>/dev/null; then
      cat "$log" >&2
      wait "$!" || return
      return 1
    fi
    sleep 0.05
  done
  read -ra node_flags <<<"$line"
  # Keep the agent's state out of this machine's real state folder.
  if [[ $line != *--path.state* ]]; then node_flags+=("--path.state=$folder/agent-state"); fi
}

# yield_to FLAGS...: removes from $node_flags what the given flags override.
yield_to() {
  local kept=() flag own
  for flag in "${node_flags[@]}"; do
    for own in "$@"; do
      if [[ ${own%%=*} == "${flag%%=*}" ]]; then continue 2; fi
    done
    kept+=("$flag")
  done
  node_flags=("${kept[@]}")
}

# await_address PID LOG: sets $address to the HOST:PORT of the agent with that log.
await_address() {
  until address=$(sed -n "s/.*listening.*${address_pattern}.*/\2/p" "$2" | head -n 1) && [[ -n $address ]]; do
    kill -0 "$1" 2>/dev/null || return
    sleep 0.05
  done
}
address_pattern='address"\{0,1\}[=:]"\{0,1\}\(https\{0,1\}:\/\/\)\{0,1\}\([^[:space:]"\/,}]*\)'

# announce NODE FILE STATE: forwards the agent's log; when it serves, prints its address and writes its URL to FILE.
# STATE is the agent's state directory.
announce() {
  local line where scheme
  trap '' INT # ends with the agent, after forwarding its last lines
  while IFS= read -r line; do
    printf '%s\n' "$line" >&2
    where=$(sed -n "s/.*listening.*${address_pattern}.*/\2/p" <<<"$line")
    if [[ -n $where ]]; then
      scheme=$(sed -n "s/.*listening.*${address_pattern}.*/\1/p" <<<"$line")
      print_address "$1" "${scheme:-http://}localhost:${where##*:}" "$3"
      echo "${scheme:-http://}localhost:${where##*:}" >"$2"
    fi
  done
}

print_address() {
  cat >&2 <<SIGN

  ==============================================================================
    Lapwing is serving    $2/metrics
                          $2/
    For ./lapwing clear, maintenance, release and test-finding add
                          --path.state=$3

    THIS NODE IS SIMULATED: $1
    None of its values come from a real device. Press Ctrl-C to stop it.
  ==============================================================================

SIGN
}

demo_usage() {
  cat <<'HELP'
usage: ./lapwing demo [--scenario S] [--instance-type T] [--with-prometheus] [agent flags]
       ./lapwing demo --drain [--poll]

Runs the agent on a simulated node until Ctrl-C, and prints its address.

With --drain: a real Slurm of one node, Prometheus, Alertmanager and the drain controller, on a simulated node whose GPU
falls off the bus while a job runs. Prints a line for each event until the node is back, and ends. Needs root.

Flags:
      --scenario=S        What happens on the node; `./lapwing simulate --list` lists all. (default: healthy)
      --instance-type=T   The simulated machine. (default: p5.48xlarge)
      --with-prometheus   Also run Prometheus and Alertmanager with the shipped rules, and print a line for each alert.
      --poll              With --drain: the controller asks the agent every second, without Prometheus and Alertmanager.

All other flags go to the agent: `./lapwing agent --help` lists them.
HELP
}

command_demo() {
  local scenario=healthy instance_type=p5.48xlarge with_prometheus='' flags=() code=0 agent flag state=''
  if [[ ${1:-} == --drain ]]; then
    case $#:${2:-} in
      1:) demo_drain '' ;;
      2:--poll) demo_drain --agent.poll=1s ;;
      *) die 2 "\`demo --drain\` takes --poll or nothing, not: ${*:2}" ;;
    esac
    return
  fi
  while (($#)); do
    case $1 in
      --help | -h) demo_usage && return ;;
      --scenario | --instance-type) (($# > 1)) || die 2 "$1 needs a value" ;;&
      --scenario) scenario=$2 && shift ;;
      --instance-type) instance_type=$2 && shift ;;
      --scenario=*) scenario=${1#*=} ;;
      --instance-type=*) instance_type=${1#*=} ;;
      --with-prometheus) with_prometheus=yes ;;
      *) flags+=("$1") ;;
    esac
    shift
  done
  if [[ -n $with_prometheus ]]; then need prometheus alertmanager; fi
  build
  new_scratch
  start_node "$folder" --instance-type "$instance_type" --scenario "$scenario" || exit
  if [[ -n $with_prometheus ]]; then node_flags+=(--node.hostname=simulated-1); fi
  yield_to "${flags[@]}"
  for flag in "${node_flags[@]}" "${flags[@]}"; do
    if [[ $flag == --path.state=* ]]; then state=${flag#*=}; fi
  done
  "${tied[@]}" "${agent_command[@]}" agent "${node_flags[@]}" "${flags[@]}" \
    2> >(announce "a $instance_type in the scenario \"$scenario\"" "$folder/address" "$state") &
  agent=$!
  children+=("$agent")
  if [[ -n $with_prometheus ]] && await_file "$agent" "$folder/address"; then
    start_servers "$folder" "$(named_by "${node_flags[@]}" "${flags[@]}")"
    wait -n "$agent" "${children[-1]}" || code=$?
  else
    wait "$agent" || code=$?
  fi
  exit "$code"
}

# await_file PID FILE: waits until the file is not empty; fails if the process exits first.
await_file() {
  until [[ -s $2 ]]; do
    kill -0 "$1" 2>/dev/null || return
    sleep 0.05
  done
}

# The node name of an agent with these flags.
named_by() {
  local name=
  while (($#)); do
    case $1 in
      --node.hostname) name=${2:-} ;;
      --node.hostname=*) name=${1#*=} ;;
    esac
    shift
  done
  echo "$name"
}

# start_servers FOLDER NODE: Prometheus, Alertmanager and a printer of alerts, for the demo.
start_servers() {
  mkdir -p "$1/servers"
  "${tied[@]}" "$java_home/bin/java" "${small_jvm[@]}" -jar "$stack_jar" --repository="$root" --folder="$1/servers" \
    --address="$(<"$1/address")" --node="$2" </dev/null &
  children+=($!)
}
