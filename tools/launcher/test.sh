# shellcheck shell=bash
# `./lapwing test`: what CI runs; with --all also what takes too long for every change. Sourced by the launcher.

command_test() {
  exec </dev/null            # no test may depend on a terminal
  unset "${!LAPWING_@}"      # flags of the user's shell
  case $#:${1:-} in
    0:) test_each_change ;;
    1:--all)
      need chromium current-jdk # first: no Java may be replaced while tests run on it
      want torch mpi mpi4py slurm # without them, the tests of real training programs and of a real Slurm are skipped
      test_each_change
      test_the_rest
      ;;
    1:--packages)
      need current-jdk maven gcc make python3 debootstrap rpmbuild mmdebstrap
      want slurm lintian arm64
      test_packages --twice
      test_installation
      ;;
    *) die 2 "\`./lapwing test\` takes --all, --packages or nothing, not: $*" ;;
  esac
  heading "Passed"
}

# The results are in docs/health-quality.md too.
command_evaluate_corpus() {
  (($# == 0)) || die 2 "\`./lapwing evaluate-corpus\` takes no arguments, not: $*"
  local table=$root/agent/target/corpus.txt code=0
  need javac maven gcc make
  mkdir -p "$work"
  rm -f "$table"
  say "evaluating the corpus ..."
  maven test -pl agent -am -Dtest=CorpusTest -Dsurefire.failIfNoSpecifiedTests=false >"$work/corpus.log" 2>&1 || code=1
  if [[ ! -e $table ]]; then
    tail -n 40 "$work/corpus.log" >&2
    die 1 "the corpus was not evaluated; the whole log is $work/corpus.log"
  fi
  cat "$table"
  ((code == 0)) || die 1 "a case is not as labelled or known, or docs/health-quality.md is out of date; see $work/corpus.log"
}

# With the time since the start, so that a log shows where the time goes.
heading() { printf '\n=== %d:%02d %s ===\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }

# About 25 minutes on two cores.
test_each_change() {
  need javac maven gcc make promtool alertmanager python3 npm shellcheck
  heading "shellcheck"
  check_scripts
  heading "Words"
  "$root/tools/launcher/words"
  heading "Links, commands and flags of the documents"
  "$root/tools/launcher/links"
  heading "Step writers in C and Python"
  "$root/steps/check"
  heading "Grafana's types"
  fetch_grafana_types
  heading "Build: format, Error Prone, jars, class archive"
  record_time_of maven package -T 2 -DskipTests
  build
  heading "Tests"
  run_tests "$root" -DexcludedGroups=slow
  heading "Launcher"
  "$root/.ci/launcher-test"
}

# The slow tests run in the background: they wait for an hour if one runs after the other. In copies of this folder,
# because two Maven runs cannot share one.
test_the_rest() {
  heading "Step writer in real PyTorch and MPI"
  "$root/steps/check-pytorch"
  "$root/steps/check-mpi"
  heading "What the agent finds about real PyTorch programs"
  "$root/steps/check-findings" "${agent_command[@]}" agent
  test_on_newest_java
  heading "Slow tests in the background: see $work/{faults,servers}.log"
  start_slow faults 'slow & !servers'
  start_slow servers 'slow & servers'
  heading "Launcher with real servers"
  "$root/.ci/launcher-test" --servers
  test_packages
  await_slow faults
  await_slow servers
  # Alone, because their time limits fail on a busy machine.
  test_attacks
}

# start_slow NAME TAGS
start_slow() {
  copy_to "$work/$1"
  set -m # a process group, so that clean_up stops Maven with the JVMs of the tests
  run_tests "$work/$1" "-Dgroups=$2" -Dmaven.compiler.useIncrementalCompilation=false >"$work/$1.log" 2>&1 &
  set +m
  slow[$1]=$!
  children+=("-$!")
}
declare -A slow

await_slow() {
  heading "Waiting for the slow tests: $1"
  wait "${slow[$1]}" || {
    tail -n 60 "$work/$1.log"
    die 1 "a slow test failed; see $work/$1.log"
  }
  grep -a 'Tests run:.*Time elapsed' "$work/$1.log"
  rm -rf "${work:?}/$1"
}

# run_tests FOLDER FLAGS...: the phase "test", which leaves the jars of the build alone.
run_tests() {
  maven_in "$1" test -T 2 -Dspotless.check.skip=true "-Dlapwing.dist=$agent_dist" "${@:2}"
}

# The incremental build of Maven stores absolute paths: in the copy it would compile everything again.
copy_to() {
  rm -rf "$1"
  mkdir -p "$1"
  tar -C "$root" --exclude=./.git --exclude=./.lapwing --exclude=node_modules -c . | tar -C "$1" -x
}

# A test compares the dashboards with Grafana's published types; without them it is skipped.
fetch_grafana_types() {
  npm ci --prefix "$root/tools/grafana-dashboards/schema" --no-audit --no-fund || say "lapwing: npm could not fetch them"
}

# The classes are compiled for 17 and have to run on 25 as well. Without the modules that do not run on a node, except
# alert-rules, on which the fuzz targets depend.
test_on_newest_java() {
  local home
  for home in /usr/lib/jvm/*25*; do
    if has_java "$home" java; then
      heading "Tests on $home"
      run_tests "$root" -DexcludedGroups=slow,archive "-Djvm=$home/bin/java" -Dsimulator.tests.skipped=true \
        --projects '!tools/acceptance,!tools/stack,!tools/grafana-dashboards,!tools/packaging'
      return
    fi
  done
  heading "Skipped: there is no JDK 25 in /usr/lib/jvm"
}

# As root, because the attackers are other users.
test_attacks() {
  if ((EUID != 0)); then
    heading "Skipped: attacks by users of the node need root"
    return
  fi
  heading "Attacks by users of the node"
  "$root/lapwing" attack
}

# On a Debian without a running systemd, and on one with its own.
test_installation() {
  local made=$work/installation
  rm -rf "$made"
  command_package --out "$made/old" --version 0.0.1
  command_package --out "$made/new"
  heading "Installation"
  "$root/tools/packaging/test/install-test" "$made"/old/lapwing_*.deb "$made"/new/lapwing_*.deb
  heading "Under systemd"
  "$root/tools/packaging/test/systemd-test" "$made"/old/lapwing_*.deb "$made"/new/lapwing_*.deb \
    "$made"/new/lapwing-drain_*.deb
  heading "The .rpm, on a system like Amazon Linux 2023"
  "$root/tools/packaging/test/rpm-test" "$made"/old/*.rpm "$made"/new/*.rpm
  heading "A release"
  "$root/tools/packaging/test/release-test"
  heading "Under Slurm"
  "$root/tools/packaging/test/slurm-test"
}

# test_packages [--twice]: see tools/packaging/test/package-test.
test_packages() {
  heading "Packages"
  "$root/tools/packaging/test/unit-test"
  "$root/tools/packaging/test/aws-test"
  "$root/tools/packaging/test/sd-test"
  "$root/tools/packaging/test/setup-scraper-test"
  "$root/tools/packaging/test/package-test" "$@"
}

check_scripts() (
  cd "$root"
  shellcheck -x lapwing tools/packaging/package
  shellcheck .ci/run .ci/launcher-test steps/check{,-pytorch,-mpi,-findings} alert-rules/amp/upload.sh \
    tools/bench/{fleet,gpu-acceptance,soak,steps/run} tools/fuzz/run tools/packaging/release \
    tools/packaging/{helm/archive,container/image} tools/packaging/files/{lapwing,make-archive,make-user,install.sh,slurm/*} \
    tools/packaging/debian/p* tools/packaging/drain/reset-gpus tools/packaging/aws/*.sh tools/packaging/test/{*-test,amazon-linux}
  echo "nothing found"
)
