# shellcheck shell=bash
# `./lapwing package` and `./lapwing vulnerabilities`. Sourced by the launcher.

command_package() {
  local flags=() train='' flag program=package
  if [[ " $* " == *" --release "* ]]; then program=release; fi
  for flag in "$@"; do
    case $flag in
      --help | -h) exec "$root/tools/packaging/$program" --help ;;
      --train) train=yes ;;
      *) flags+=("$flag") ;;
    esac
  done
  if [[ " ${flags[*]} " == *" --old-jdk "* ]]; then need javac; else need current-jdk; fi
  need maven gcc make python3
  want rpmbuild
  if [[ $program == release ]]; then want mmdebstrap; fi
  build
  record_revision
  if [[ -n $train ]]; then
    list_classes
    list_drain_classes
  fi
  find_java javac
  PACKAGE_JAVA_HOME=$java_home "$root/tools/packaging/$program" "${flags[@]}"
}

vulnerabilities_usage() {
  cat <<'HELP'
usage: ./lapwing vulnerabilities --database FILE [--sbom FILE]

Lists the shipped libraries with a known vulnerability. It needs no network.

Flags:
      --database=FILE   A copy of OSV's database of Maven packages: its all.zip, or a folder of JSON files. Fetch
                        https://osv-vulnerabilities.storage.googleapis.com/Maven/all.zip
      --sbom=FILE       A bill of materials in CycloneDX. (default: that of the built agent)

Exit code 0: none known; 1: some; 2: wrong usage; 3: not checked.
HELP
}

# Exit code 0: none known; 1: some; 2: usage; 3: not checked.
command_vulnerabilities() {
  local database='' sbom=$root/agent/target/bom.json
  while (($#)); do
    case $1 in
      --help | -h) vulnerabilities_usage && return ;;
      --database=* | --sbom=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
    esac
    (($# > 1)) || die 2 "\`./lapwing vulnerabilities\` takes --database FILE and --sbom FILE, not: $*"
    case $1 in
      --database) database=$(readlink -f "$2") ;;
      --sbom) sbom=$(readlink -f "$2") ;;
      *) die 2 "\`./lapwing vulnerabilities\` takes --database FILE and --sbom FILE, not: $*" ;;
    esac
    shift 2
  done
  need javac maven gcc make
  build
  find_java java
  exec "$java_home/bin/java" "${small_jvm[@]}" -Xmx512m -jar "$packaging_jar" "$sbom" "$database"
}

# A package contains its commit, and a build is not repeated when only the commit changed.
record_revision() {
  if ! grep -qs "^revision=$(revision)$" "$root/agent/target/classes/io/lapwing/agent/build.properties"; then
    say "recording the commit ..."
    maven package -pl agent -am -Dmaven.test.skip=true -Dspotless.check.skip=true >"$work/build.log" 2>&1 || {
      tail -n 40 "$work/build.log" >&2
      die 1 "the build failed; the whole log is $work/build.log"
    }
  fi
}

# The list from which an installed package makes its archive. Under version control and sorted, because training runs
# load classes in different orders and packages of one commit must be identical. Each missing class slows the start.
# Without the classes of TLS, which would cost every plain agent 5 MiB.
list_classes() {
  say "listing the classes that the agent loads ..."
  prepare_jvm
  train 75 >"$work/train.log" 2>&1 || die 1 "the training run failed; see $work/train.log"
  sorted_classes "$classes" >"$root/tools/packaging/classes.lst"
  clean_up
}

# The same for the drain controller, with Slurm.
list_drain_classes() {
  say "listing the classes that the drain controller loads ..."
  new_scratch
  "$root/tools/packaging/drain/exercise" "$folder" "$java_home/bin/java" "@$drain_dist/jvm.options" \
    "-XX:DumpLoadedClassList=$folder/classes.lst" -jar "$drain_jar" >&2 || die 1 "the training run failed"
  sorted_classes "$folder/classes.lst" >"$root/tools/packaging/drain/classes.lst"
  clean_up
}

# Sorted, without classes whose names differ between runs.
sorted_classes() {
  grep -v -e '^[#@]' -e '[$]Proxy[0-9]' "$1" | LC_ALL=C sort -u
  grep '^@' "$1" | LC_ALL=C sort -u
}
