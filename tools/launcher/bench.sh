# shellcheck shell=bash
# `./lapwing bench`, `soak`, `attack` and `fuzz`. Sourced by the launcher.

command_bench() {
  if [[ " $* " =~ \ (-h|--help)\  ]]; then
    bench_help "$@"
    return
  fi
  if [[ ${1:-} == --installed* ]]; then
    if [[ $1 == --installed=* ]]; then set -- --installed "${1#*=}" "${@:2}"; fi
    installed=$(readlink -f "${2:-}" || true)
    [[ -x $installed/runtime/bin/java ]] ||
      die 2 "--installed: ${2:-} has no runtime/bin/java; it wants the folder of an installed agent, such as /usr/lib/lapwing"
    shift 2
  fi
  case ${1:-} in
    --health | --steps | --nccl | --fleet | --footprint | --disturbance | --quiet | --drain)
      "bench_${1#--}" "${@:2}"
      return
      ;;
  esac
  local main=io.lapwing.bench.Main
  case ${1:-} in
    --efa) main=io.lapwing.bench.EfaMain && shift ;;
    --training) main=io.lapwing.bench.training.Main && shift ;;
  esac
  need node_exporter
  build
  new_scratch
  start_node "$folder" --instance-type p5.48xlarge --scenario healthy || exit
  if [[ $main == *training* ]]; then yield_to --training.steps-dir; fi # this benchmark has its own folders
  "$java_home/bin/java" -XX:+UseSerialGC -Xmx256m -cp "$bench_jar" "$main" "$@" -- \
    "${agent_command[@]}" agent "${node_flags[@]}" &
  children+=($!)
  wait "$!"
}

# bench_help FLAGS...: the help of the bench that they select, or of all.
bench_help() {
  local program
  for program; do
    case $program in
      --quiet | --footprint | --drain | --nccl) program=${program#--} ;;
      --disturbance) program=disturbance/run ;;
      *) continue ;;
    esac
    need python3
    python3 "$root/tools/bench/$program" --help --
    return
  done
  help_of bench
  echo
  echo "  --quiet, --disturbance, --footprint, --drain and --nccl have a --help of their own."
}

# The cost of recording a step, compared with a datagram, prometheus_client and a text file.
bench_steps() {
  need gcc make python3
  "$root/tools/bench/steps/run" "$@"
}

# The cost of the plugin for NCCL in the job, and of its rings in the agent.
bench_nccl() {
  need python3 gcc make
  build
  new_scratch
  start_node "$folder" --instance-type p5.48xlarge --scenario healthy || exit
  yield_to --training.steps-dir
  "$root/tools/bench/nccl" "$@" -- "${agent_command[@]}" agent "${node_flags[@]}" &
  children+=($!)
  wait "$!"
}

# Memory, start and CPU time by JVM flags. Does not need root.
bench_footprint() {
  need python3
  bench_of_agent "$root/tools/bench/footprint" "$@"
}

# What the agent does between scrapes, by thread. Does not need root.
bench_quiet() {
  need python3 openssl
  build
  new_scratch
  local nodes=()
  quiet_node "p5.48xlarge without a job" p5.48xlarge idle
  quiet_node "p5.48xlarge without a job, with TLS" p5.48xlarge idle
  make_certificate "$node"
  nodes+=(--web.config.file="$node/web.yml")
  quiet_node "p5.48xlarge with eight ranks" p5.48xlarge training
  quiet_node "p5.48xlarge after a storm of XIDs" p5.48xlarge xid-storm
  quiet_node "p5.48xlarge with seven MIG instances on each GPU" p5.48xlarge mig
  quiet_node "p4d.24xlarge without a job" p4d.24xlarge idle
  nodes+=(-- "p4d.24xlarge without a job, with --dcgm.engine" "${agent_command[@]}" agent "${node_flags[@]}" --dcgm.engine=localhost:5555)
  mkdir "$folder/nothing"
  nodes+=(-- "a node without devices" "${agent_command[@]}" agent --imds.url=off --web.unix-socket= --path.state="$folder/nothing")
  "$root/tools/packaging/drain/fake-slurm" "$folder/slurm" 1000
  nodes+=(-- "the drain controller, 1,000 nodes of Slurm" "${drain_command[@]}" run --config.file= --scheduler=slurm --slurm.folder="$folder/slurm" --web.unix-socket=)
  JAVA_HOME=$java_home "$root/tools/bench/quiet" "$@" "${nodes[@]}" &
  children+=($!)
  wait "$!"
}

# quiet_node NAME TYPE SCENARIO: starts a simulated node in the folder $node, and adds its agent to $nodes.
quiet_node() {
  node=$(mktemp -d "$folder/node.XXXXXX")
  start_node "$node" --instance-type "$2" --scenario "$3" || exit
  nodes+=(-- "$1" "${agent_command[@]}" agent "${node_flags[@]}")
}

# make_certificate FOLDER: a key, its certificate and a web.yml with both.
make_certificate() {
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$1/key.pem" -out "$1/cert.pem" -days 2 -subj /CN=localhost 2>/dev/null
  printf 'tls_server_config:\n  cert_file: %s\n  key_file: %s\n' "$1/cert.pem" "$1/key.pem" >"$1/web.yml"
}

# How long the drain controller takes to decide.
bench_drain() {
  need python3
  build
  prepare_agent_command
  "$root/tools/bench/drain" "$@" -- "${drain_command[@]}" &
  children+=($!)
  wait "$!"
}

# How much the agent slows a busy loop.
bench_disturbance() {
  need python3 gcc
  bench_of_agent "$root/tools/bench/disturbance/run" "$@"
}

# bench_of_agent PROGRAM FLAGS...: runs the program with the command line of an agent on a simulated node after "--".
bench_of_agent() {
  build
  new_scratch
  start_node "$folder" --instance-type p5.48xlarge --scenario healthy || exit
  JAVA_HOME=$java_home "$@" -- "${agent_command[@]}" agent "${node_flags[@]}" &
  children+=($!)
  wait "$!"
}

# The cost of many nodes for one Prometheus.
bench_fleet() {
  need prometheus
  build
  "$root/tools/bench/fleet" "$@"
}

# Latency, storm and idle cost of health evaluation. No peer has that feature.
bench_health() {
  build
  new_scratch
  start_node "$folder" --instance-type p5.48xlarge --scenario healthy || exit
  "$java_home/bin/java" -XX:+UseSerialGC -Xmx256m -cp "$bench_jar" io.lapwing.bench.health.Main "$@" -- \
    "${agent_command[@]}" agent "${node_flags[@]}" &
  children+=($!)
  wait "$!"
}

# Fuzzes every reader of foreign input.
command_fuzz() {
  need javac maven
  build
  JAVA_HOME=$java_home exec "$root/tools/fuzz/run" "$@"
}

# A long run with many faults and clients.
command_soak() {
  build
  JAVA_HOME=$java_home exec "$root/tools/bench/soak" "$@" -- "${agent_command[@]}"
}

# Attacks by users of the node. After "--" the agent's command line, then those of the simulator and of the demo's servers.
command_attack() {
  need python3 prometheus alertmanager
  build
  "$root/tools/attack/run" "$@" -- "${agent_command[@]}" -- "$java_home/bin/java" "${small_jvm[@]}" -jar "$simulator_jar" \
    -- "$java_home/bin/java" "${small_jvm[@]}" -jar "$stack_jar" &
  children+=($!)
  wait "$!"
}
