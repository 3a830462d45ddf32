#!/usr/bin/env bash
# HyperPod (Slurm): installs Lapwing on each node with GPUs. Put this file and common.sh into the bucket of the
# lifecycle scripts and call it from on_create.sh, or name it as the OnInitComplete extension:
#
#   LAPWING_PACKAGE=s3://sagemaker-.../lapwing_0.1.0_amd64.deb bash hyperpod.sh
#
# A script that ends with anything but 0 makes the whole cluster fail. This one always ends with 0, in bounded time, and
# says in /var/log/lapwing-bootstrap.log what it could not do.
set -u
trap 'exit 0' EXIT

folder=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

# Settings may also lie beside this file, one NAME=value a line.
if [[ -r $folder/lapwing.env ]]; then
  # shellcheck disable=SC1091
  . "$folder/lapwing.env"
fi

if [[ -r $folder/common.sh ]]; then
  # shellcheck source-path=SCRIPTDIR source=common.sh
  . "$folder/common.sh"
  bootstrap "${LAPWING_PACKAGE:-}" "${LAPWING_PACKAGE_SHA256:-}" "${LAPWING_CONFIGURATION:-}"
else
  echo "lapwing-bootstrap: common.sh is missing beside $0; this node is not watched" >&2
fi
exit 0
