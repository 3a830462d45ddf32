#!/usr/bin/env bash
# ParallelCluster: installs Lapwing on each compute node with GPUs. As an OnNodeConfigured script of a queue:
#
#   CustomActions:
#     OnNodeConfigured:
#       Script: s3://.../parallelcluster.sh
#       Args: [s3://.../lapwing-0.1.0-1.x86_64.rpm, SHA256, s3://.../lapwing.yml]    # Ubuntu: the .deb
#
# ParallelCluster downloads only this file; it downloads common.sh from the folder of the package, with the node's role.
# ParallelCluster replaces a node whose script has a non-zero exit code, again and again. This one always exits with 0.
set -u
trap 'exit 0' EXIT

package=${1:-${LAPWING_PACKAGE:-}}
sum=${2:-${LAPWING_PACKAGE_SHA256:-}}
configuration=${3:-${LAPWING_CONFIGURATION:-}}

folder=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
common=$folder/common.sh

fetch_common() {
  case $package in
    s3://*) aws s3 cp --only-show-errors "${package%/*}/common.sh" "$1" ;;
    https://*) curl -fsSL --connect-timeout 10 --max-time 60 -o "$1" "${package%/*}/common.sh" ;;
    *) return 1 ;;
  esac
}

if [[ ! -r $common && $package == http://* ]]; then
  echo "lapwing-bootstrap: common.sh is not fetched over plain HTTP; put it beside $0, or use https or s3" >&2
  exit 0
fi
if [[ ! -r $common ]]; then
  common=$(mktemp)
  for wait in 2 4 8 16 32; do
    if fetch_common "$common"; then break; fi
    sleep "$((wait * ${LAPWING_RETRY_WAIT:-2} / 2))"
  done
fi

if [[ -s $common ]]; then
  # shellcheck source-path=SCRIPTDIR source=common.sh
  . "$common"
  bootstrap "$package" "$sum" "$configuration"
else
  echo "lapwing-bootstrap: could not fetch common.sh; this node is not monitored" >&2
fi
exit 0
