# shellcheck shell=bash
# `./lapwing test`: what CI runs; with --all also what takes too long for every change. Sourced by the launcher.

command_test() {
  exec </dev/null            # no test may depend on a terminal
  unset "${!LAPWING_@}"      # flags of the user's shell
  case $#:${1:-} in
    0:) test_each_change ;;
    1:--all)
      test_each_change
      test_the_rest
      ;;
    1:--packages)
      need javac maven gcc make python3 debootstrap
      test_packages --twice
      "$root/tools/packaging/test/install-test"
      ;;
    *) die 2 "\`./lapwing test\` takes --all, --packages or nothing, not: $*" ;;
  esac
  heading "Passed"
}

# With the time since the start, so that a log shows where the time goes.
heading() { printf '\n=== %d:%02d %s ===\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }

# About ten minutes on two cores.
test_each_change() {
  need javac maven gcc make promtool alertmanager python3 npm shellcheck
  heading "shellcheck"
  check_scripts
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

# What waits runs in the background: half an hour if one test ran after the other, nearly all of it waiting. In a copy of
# this folder, because two Maven runs cannot share one.
test_the_rest() {
  local log=$work/slow.log slow
  need chromium
  heading "Slow tests: faults on processes, scenarios, real servers; in the background, see $log"
  copy_to "$work/slow"
  run_tests "$work/slow" -Dgroups=slow -Dmaven.compiler.useIncrementalCompilation=false >"$log" 2>&1 &
  slow=$!
  children+=("$slow")
  test_on_newest_java
  heading "Launcher with real servers"
  "$root/.ci/launcher-test" --servers
  test_packages
  heading "Waiting for the slow tests"
  wait "$slow" || {
    tail -n 60 "$log"
    die 1 "a slow test failed; see $log"
  }
  grep -a 'Tests run:.*Time elapsed' "$log"
  rm -rf "$work/slow"
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

# The classes are compiled for 17 and have to run on 25 as well. Without the modules that do not run on a node.
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

# test_packages [--twice]: see tools/packaging/test/package-test.
test_packages() {
  heading "Packages"
  "$root/tools/packaging/test/unit-test"
  "$root/tools/packaging/test/aws-test"
  "$root/tools/packaging/test/package-test" "$@"
}

check_scripts() (
  cd "$root"
  shellcheck -x lapwing
  shellcheck .ci/run .ci/launcher-test steps/check alert-rules/amp/upload.sh \
    tools/bench/{fleet,gpu-acceptance,soak,steps/run} tools/fuzz/run tools/packaging/package \
    tools/packaging/files/{lapwing,make-archive,install.sh} tools/packaging/debian/p* tools/packaging/aws/*.sh \
    tools/packaging/test/*-test
  echo "nothing found"
)
