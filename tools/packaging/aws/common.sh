# Functions of the bootstrap scripts, to be sourced. They never exit the shell and never fail the node: a cluster must
# not fail to start because its monitoring could not be installed.
# shellcheck shell=bash

LAPWING_BOOTSTRAP_LOG=${LAPWING_BOOTSTRAP_LOG:-/var/log/lapwing-bootstrap.log}

# The query of an address may be a signature.
note() {
  local line
  line="$(date -u +%Y-%m-%dT%H:%M:%SZ) lapwing-bootstrap: $(sed -E 's/(https?:[^ ?]*)\?[^ ]*/\1/g' <<<"$*")"
  printf '%s\n' "$line" >&2
  printf '%s\n' "$line" >>"$LAPWING_BOOTSTRAP_LOG" 2>/dev/null || true
}

# retry TIMES COMMAND...: with exponential backoff of 2, 4, 8 ... seconds, at most a minute. The network is often not up
# yet when a node boots.
retry() {
  local times=$1 try wait=${LAPWING_RETRY_WAIT:-2}
  shift
  for ((try = 1; try <= times; try++)); do
    if "$@"; then return 0; fi
    note "attempt $try of $times failed: $*"
    if ((try < times)); then sleep "$wait"; fi
    wait=$((wait * 2 > 60 ? 60 : wait * 2))
  done
  return 1
}

# fetch SOURCE FILE: from S3 with the node's role, by HTTP, or from a path.
fetch() {
  case $1 in
    s3://*) aws s3 cp --only-show-errors "$1" "$2" ;;
    http://* | https://*) curl -fsSL --connect-timeout 10 --max-time 300 -o "$2" "$1" ;;
    *) cp "$1" "$2" ;;
  esac
}

# is_whole FILE SHA256: true if the checksum matches.
is_whole() {
  printf '%s  %s\n' "$2" "$1" | sha256sum --check --status
}

# fetch_whole SOURCE FILE SHA256: only a path on this machine needs no checksum.
fetch_whole() {
  if ! fetch "$1" "$2"; then return 1; fi
  if [[ -z $3 && $1 != *://* ]] || is_whole "$2" "$3"; then return 0; fi
  note "checksum mismatch: $1 is not $3"
  return 1
}

has_gpu() {
  local vendor
  for vendor in "${LAPWING_SYSFS:-/sys}"/bus/pci/devices/*/vendor; do
    if [[ -r $vendor && $(<"$vendor") == 0x10de ]]; then return 0; fi
  done
  return 1
}

# Of the .deb, the .rpm or the tarball that is installed; empty without one.
installed_version() {
  local version=
  version=$(dpkg-query -W -f '${Version}' lapwing 2>/dev/null) || version=$(rpm -q --qf '%{VERSION}' lapwing 2>/dev/null) ||
    version=$(lapwing --version 2>/dev/null | sed -n 's/^lapwing, version \([^ ]*\) .*/\1/p') || version=
  printf '%s\n' "$version"
}

# is_installed PACKAGE: by its file name, as the packages of Lapwing are named.
is_installed() {
  local version
  version=$(installed_version)
  if [[ -z $version ]]; then return 1; fi
  case $(basename "$1") in
    lapwing_"$version"_*.deb | lapwing-"$version"-*.rpm | lapwing-"$version"-linux-*.tar.gz) return 0 ;;
    *) return 1 ;;
  esac
}

# fits_node PACKAGE: whether this node has what installs it; says what does not fit.
fits_node() {
  local needed='' processor
  case $1 in
    *.deb) needed=apt-get ;;
    *.rpm) needed=dnf ;;
    *.tar.gz) ;;
    *) note "NOT INSTALLED: $1 is no .deb, .rpm or .tar.gz" && return 1 ;;
  esac
  if [[ -n $needed ]] && ! command -v "$needed" >/dev/null; then
    note "NOT INSTALLED: this node has no $needed for $1: name the .deb for Debian and Ubuntu, the .rpm for Amazon Linux 2023"
    return 1
  fi
  processor=$(uname -m)
  case $processor:$1 in
    x86_64:*[._-]arm64.* | x86_64:*.aarch64.* | aarch64:*[._-]amd64.* | aarch64:*.x86_64.*)
      note "NOT INSTALLED: $1 is not for this processor, $processor"
      return 1
      ;;
  esac
}

# install_package FILE: a .deb or .rpm with its dependencies, or the tarball.
install_package() {
  case $1 in
    *.deb)
      # Wait for another apt that may run while a node boots. needrestart would restart slurmd.
      NEEDRESTART_SUSPEND=1 DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 -o Dpkg::Options::=--force-confold \
        install -y --no-install-recommends "$1" </dev/null
      ;;
    *.rpm)
      # The dependencies are on every Amazon Linux 2023, so first without its repositories, which need a network. dnf waits
      # for another one.
      dnf install -y --disablerepo='*' --setopt=install_weak_deps=False "$1" </dev/null ||
        dnf install -y --setopt=install_weak_deps=False "$1" </dev/null
      ;;
    *)
      local folder
      folder=$(mktemp -d) && tar -xzf "$1" -C "$folder" --strip-components=1 && "$folder/install.sh"
      local code=$?
      rm -rf "$folder"
      return $code
      ;;
  esac
}

# put_configuration SOURCE: replaces lapwing.yml if it differs.
put_configuration() {
  local fresh
  fresh=$(mktemp) || return 1
  if retry 5 fetch "$1" "$fresh"; then
    if ! cmp -s "$fresh" "$LAPWING_ETC/lapwing.yml"; then
      mkdir -p "$LAPWING_ETC" && install -m 0644 "$fresh" "$LAPWING_ETC/lapwing.yml"
      changed=yes
    fi
  else
    note "could not fetch $1; the configuration is unchanged"
  fi
  rm -f "$fresh"
}
LAPWING_ETC=${LAPWING_ETC:-/etc/lapwing}

# bootstrap PACKAGE SHA256 CONFIGURATION: called when a node starts. Idempotent.
bootstrap() {
  local package=$1 sum=$2 configuration=$3 changed='' file
  if [[ -z $package || $package == *'<'* ]]; then
    note "no package given: set LAPWING_PACKAGE to an s3:// or https:// address"
    return 0
  fi
  if [[ $package == *://* && -z $sum ]]; then
    note "NOT INSTALLED: $package has no checksum: set LAPWING_PACKAGE_SHA256; this node is not monitored"
    return 0
  fi
  if [[ ${LAPWING_ON_ALL_NODES:-no} != yes ]] && ! has_gpu; then
    note "no NVIDIA GPU found; not installed (set LAPWING_ON_ALL_NODES=yes to install anyway)"
    return 0
  fi
  if [[ $configuration == http://* ]]; then
    note "the configuration is not fetched over plain HTTP: $configuration"
  elif [[ -n $configuration ]]; then put_configuration "$configuration" || true; fi
  if is_installed "$package"; then
    note "lapwing $(installed_version) is already installed"
  elif fits_node "$package"; then
    file=$(mktemp -d)/$(basename "$package")
    if retry 6 fetch_whole "$package" "$file" "$sum" && retry 5 install_package "$file"; then
      note "installed $package"
      changed=yes
    else
      note "NOT INSTALLED: $package; this node is not monitored"
    fi
    rm -rf "$(dirname "$file")"
  fi
  if [[ -n $changed && -d /run/systemd/system ]]; then systemctl restart lapwing.service || true; fi
  return 0
}
