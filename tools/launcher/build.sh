# shellcheck shell=bash
# Builds the jars, and the class archive with which the agent starts fast. Sourced by the launcher.

maven() { maven_in "$root" "$@"; }

maven_in() (
  cd "$1"
  umask 022 # jars record file modes, and the bill of materials their checksums
  find_java javac
  JAVA_HOME=$java_home exec mvn -B -ntp -Dstyle.color=never \
    "-Dlapwing.revision=$(revision)" "${@:2}" </dev/null
)

# A fixed length: by default git uses as many digits as the clone needs.
revision() { git -C "$root" rev-parse --short=10 HEAD 2>/dev/null || true; }

sources_changed() {
  [[ -e $work/built && -e $agent_jar && -e $drain_jar && -e $simulator_jar && -e $stack_jar ]] || return 0
  # Folders count too: their time changes when a file is added or deleted.
  [[ -n $(cd "$root" && find pom.xml .mvn {agent,common,collectors,drain,tools/*}/{pom.xml,src} tools/simulator/Makefile \
    steps/c/*.h steps/python/lapwing_steps/*.py -newer "$work/built" -print -quit) ]]
}

# Runs a build and records its start time, so that files saved during the build count as changed.
record_time_of() {
  mkdir -p "$work"
  touch "$work/building"
  "$@" || return
  mv "$work/building" "$work/built"
}

# One build at a time: a second launcher waits for the first.
build() {
  local lock
  mkdir -p "$work"
  exec {lock}>"$work/lock"
  flock "$lock"
  if sources_changed; then build_jars; fi
  need java
  find_java java
  if ! archive_is_current; then build_archive; fi
  exec {lock}>&-
  prepare_agent_command
}

build_jars() {
  local log=$work/build.log
  need javac maven gcc make
  if [[ -e $work/built ]]; then say "building; the log is $log ..."; else
    say "building; the first build downloads libraries and takes three to ten minutes; the log is $log ..."
  fi
  record_time_of maven package -DskipTests >"$log" 2>&1 || {
    tail -n 40 "$log" >&2
    die 1 "the build failed; the whole log is $log"
  }
}

# The JVM with the shipped flags; the archive's flag, the program and its arguments come after it.
prepare_jvm() {
  local arch
  case $(uname -m) in
    aarch64) arch=linux-aarch64 ;;
    *) arch=linux-x86-64 ;;
  esac
  agent_jvm=(
    "$java_home/bin/java" "@$agent_dist/jvm.options"
    # JNA's native library is unpacked already, because /tmp may be mounted noexec.
    "-Djna.boot.library.path=$agent_dist/native/com/sun/jna/$arch"
  )
}

prepare_agent_command() {
  prepare_jvm
  export MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-1} # as packaged: see tools/packaging/files/lapwing
  agent_command=("${agent_jvm[@]}")
  if [[ -e $archive ]]; then agent_command+=("-XX:SharedArchiveFile=$archive"); fi
  agent_command+=(-jar "$agent_jar")
  drain_command=("$java_home/bin/java" "@$drain_dist/jvm.options" "${agent_jvm[@]: -1}" -jar "$drain_jar")
  if [[ -n ${installed:-} ]]; then
    mapfile -t agent_command < <(command_of_installed "$installed" agent)
    if [[ -d $installed-drain ]]; then mapfile -t drain_command < <(command_of_installed "$installed-drain" drain); fi
  fi
}

# command_of_installed FOLDER NAME: the command line of a package's program, as its own script runs it.
command_of_installed() {
  printf '%s\n' "$1/runtime/bin/java" "@$1/jvm.options" "-Djna.boot.library.path=$1/native" \
    "-XX:SharedArchiveFile=$1/lapwing.jsa" -jar "$1/lapwing-$2.jar"
}

# --- The class archive ------------------------------------------------------------------------------------------
# AppCDS: the JVM maps the agent's parsed classes from a file, which halves the start time and saves memory. The JVM
# silently ignores an archive made with another JVM, jar or path. So the launcher records these beside the archive, makes
# a new one if they differ, and checks that the JVM uses it.

archive_key() {
  echo "$agent_dist"
  cat "$java_home/release"
  (cd "$agent_dist" && stat -c '%n %s %Y' ./*.jar lib/*.jar && cksum jvm.options)
}

# A failed attempt is recorded too, so that not every start repeats it.
archive_is_current() { [[ -e $archive.key && $(archive_key) == "$(<"$archive.key")" ]]; }

build_archive() {
  say "making the class archive ..."
  mkdir -p "$work"
  rm -f "$archive"
  prepare_jvm
  if ! { make_archive && archive_is_used; } >"$work/archive.log" 2>&1; then
    rm -f "$archive"
    warn_loudly "no class archive, so the agent takes about twice as long to start. See $work/archive.log"
  fi
  clean_up
  archive_key >"$archive.key"
}

# Contains only the classes of a training run. It also replaces the JDK's default archive, which has thousands of classes
# that the agent never loads.
make_archive() {
  train || return
  "${agent_jvm[@]}" -Xshare:dump "-XX:SharedClassListFile=$classes" "-XX:SharedArchiveFile=$archive" -cp "$agent_jar"
  [[ -s $archive ]]
}

# train [SECONDS]: runs the agent through every kind of request while the JVM lists the loaded classes into $classes, and
# for so many seconds more, with the rounds that come later than the first.
train() {
  new_scratch
  classes=$folder/classes.lst
  start_node "$folder" --instance-type p5.48xlarge --scenario healthy || return
  (
    unset "${!LAPWING_@}" # without the user's settings
    exec "${agent_jvm[@]}" "-XX:DumpLoadedClassList=$classes" -jar "$agent_jar" agent \
      --web.listen-address=127.0.0.1:0 "${node_flags[@]}" >"$folder/agent.log" 2>&1
  ) &
  children+=($!)
  if await_address "$!" "$folder/agent.log"; then exercise "$address" && sleep "${1:-0}"; fi
  stop "$!"
  cat "$folder/agent.log"
}

# exercise HOST:PORT: waits until the agent is ready, then sends each kind of request a few times.
exercise() {
  local tenths round
  for ((tenths = 0; tenths < 200; tenths++)); do
    if [[ $(http_get "$1" /-/ready | head -n 1) == *" 200 "* ]]; then break; fi
    sleep 0.1
  done
  for round in 1 2 3; do
    echo "exercise, round $round"
    http_get "$1" /metrics
    http_get "$1" /metrics 'Accept-Encoding: gzip'
    http_get "$1" /metrics 'Accept: application/openmetrics-text; version=1.0.0'
    http_get "$1" /
    http_get "$1" /api/v1/node
    http_get "$1" /api/v1/health
    http_get "$1" /api/v1/events
  done | grep -a 'HTTP/1\|exercise'
}

# http_get HOST:PORT PATH [HEADER]: prints the response. Uses bash's sockets because curl may be missing.
http_get() {
  local connection
  exec {connection}<>"/dev/tcp/${1%:*}/${1##*:}" || return
  printf 'GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n' "$2" "$1" "${3:+$3$'\r\n'}" >&"$connection"
  cat <&"$connection"
  exec {connection}>&-
}

# True if the JVM logs that the main class was loaded from the archive.
archive_is_used() {
  "${agent_jvm[@]}" "-XX:SharedArchiveFile=$archive" -Xlog:class+load -jar "$agent_jar" --version |
    grep 'io.lapwing.agent.Main source: shared objects file'
}
