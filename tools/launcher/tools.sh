# shellcheck shell=bash
# Finds Java and the tools that a command needs, and installs what is missing. Sourced by the launcher.

has_command() { command -v "$1" >/dev/null 2>&1; }
compiles_c() { gcc -E -x c - >/dev/null 2>&1 <<<'#include <stdlib.h>'; }

# The major version of the Java in a folder, or 0. Read from its release file, without starting a JVM.
java_major() {
  local version=
  if [[ -r $1/release ]]; then version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"); fi
  echo "${version:-0}"
}

# has_java HOME PROGRAM: whether that folder is Java 17 or newer with java (to run) or javac (to build).
has_java() { [[ -x $1/bin/$2 ]] && (($(java_major "$1") >= 17)); }

# find_java PROGRAM: sets $java_home to JAVA_HOME, else the Java on PATH, else one of the distribution: the first that
# has the program. (JAVA_HOME may be a runtime without javac.)
find_java() {
  local on_path
  on_path=$(readlink -f "$(command -v "$1")" || true)
  for java_home in "${JAVA_HOME:-}" "${on_path%/bin/*}" /usr/lib/jvm/*; do
    if has_java "$java_home" "$1"; then return; fi
  done
  return 1
}

# Whether a package may contain the runtime of that JDK; an unusable floor is the concern of tools/packaging/package.
is_current_jdk() {
  local version floor
  find_java javac || return 1
  version=$(sed -n 's/^JAVA_VERSION="\(.*\)"$/\1/p' "$java_home/release")
  floor=$(grep "^${version%%.*}\." "$root/tools/packaging/jdk-floor") || return 0
  [[ $(printf '%s\n' "$floor" "$version" | sort -V | head -n 1) == "$floor" ]]
}

# Do not silently ignore an unusable JAVA_HOME.
check_java_home() {
  if [[ -z ${JAVA_HOME:-} ]] || has_java "$JAVA_HOME" java; then return; fi
  die 2 "JAVA_HOME=$JAVA_HOME is not Java 17 or newer (with bin/java and a release file)"
}

# 17 if packaged, otherwise the oldest newer one: the versions we test most.
jdk_package() {
  local version
  for version in 17 21 25; do
    if [[ -n $(apt-cache madison "openjdk-$version-jdk-headless" 2>/dev/null) ]]; then
      echo "openjdk-$version-jdk-headless"
      return
    fi
  done
  echo default-jdk-headless
}

# The packages of the missing tools.
packages_for() {
  local tool
  for tool in "$@"; do
    case $tool in
      java | javac) find_java "$tool" || jdk_package ;;
      current-jdk) is_current_jdk || jdk_package ;;
      maven) has_command mvn || echo maven ;;
      gcc) compiles_c || printf '%s\n' gcc libc6-dev ;;
      make) has_command make || echo make ;;
      prometheus | promtool) has_command "$tool" || echo prometheus ;;
      alertmanager) has_command alertmanager || has_command prometheus-alertmanager || echo prometheus-alertmanager ;;
      node_exporter) has_command prometheus-node-exporter || echo prometheus-node-exporter ;;
      arm64) has_command arch-test && has_command aarch64-linux-gnu-gcc && has_command qemu-aarch64-static ||
        printf '%s\n' arch-test qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
      rpmbuild) has_command rpmbuild || echo rpm ;;
      slurm) has_command slurmctld || printf '%s\n' slurm-wlm munge ;;
      mpi) has_command mpirun || printf '%s\n' openmpi-bin libopenmpi-dev ;;
      mpi4py | torch) /usr/bin/python3 -c "import $tool" 2>/dev/null || echo "python3-$tool" ;;
      python3 | openssl | perl | chromium | npm | shellcheck | debootstrap | mmdebstrap | lintian) has_command "$tool" || echo "$tool" ;;
    esac
  done
}

# need TOOL...: installs missing tools, or exits with the command that would install them.
need() {
  local packages
  mapfile -t packages < <(packages_for "$@")
  if ((${#packages[@]} == 0)); then return; fi
  if ! may_install; then
    die 1 "missing on this machine: ${packages[*]}. To install:
  sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends ${packages[*]}'"
  fi
  as_root apt-get update -qq </dev/null >&2 || say "lapwing: apt-get update failed; trying with the existing package lists"
  # Again, because only updated lists show which JDK the distribution has.
  mapfile -t packages < <(packages_for "$@")
  install_packages "${packages[@]}"
  mapfile -t packages < <(packages_for "$@")
  ((${#packages[@]} == 0)) || die 1 "installed but still not usable: ${packages[*]}"
}

# want TOOL...: installs missing tools where that is permitted and possible; what uses them goes on without.
want() { if may_install; then (need "$@") || say "lapwing: going on without them"; fi; }

may_install() { has_command apt-get && { ((EUID == 0)) || sudo -n true 2>/dev/null; }; }
as_root() { if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi; }

# Some packages contain daemons, which Debian starts at installation. A temporary policy-rc.d prevents that, unless the
# machine already has such a file. A subshell, so that its trap always removes the file.
install_packages() (
  policy=/usr/sbin/policy-rc.d
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if [[ ! -e $policy ]]; then
    trap 'rm -f "$log"; as_root rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
  fi
  say "installing $* ..."
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "$@" </dev/null >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    die 1 "apt-get could not install $*"
  }
)
