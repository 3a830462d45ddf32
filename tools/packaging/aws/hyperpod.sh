#!/usr/bin/env bash
# HyperPod (Slurm): installs Lapwing on each node with GPUs. Put this file and common.sh into the bucket of the
# lifecycle scripts and call it from on_create.sh, or name it as the OnInitComplete extension:
#
#   LAPWING_PACKAGE=s3://sagemaker-.../lapwing-0.1.0-1.x86_64.rpm LAPWING_PACKAGE_SHA256=... bash hyperpod.sh    # Amazon Linux 2023
#   LAPWING_PACKAGE=s3://sagemaker-.../lapwing_0.1.0_amd64.deb LAPWING_PACKAGE_SHA256=... bash hyperpod.sh        # Ubuntu
#
# A lifecycle script with a non-zero exit code fails the whole cluster. This one always exits with 0 in bounded time and
# logs errors to /var/log/lapwing-bootstrap.log.
set -u
trap 'exit 0' EXIT

folder=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

# Settings may also be in lapwing.env in the same folder, one NAME=value a line.
if [[ -r $folder/lapwing.env ]]; then
  # shellcheck disable=SC1091
  . "$folder/lapwing.env"
fi

if [[ -r $folder/common.sh ]]; then
  # shellcheck source-path=SCRIPTDIR source=common.sh
  . "$folder/common.sh"
  bootstrap "${LAPWING_PACKAGE:-}" "${LAPWING_PACKAGE_SHA256:-}" "${LAPWING_CONFIGURATION:-}"
else
  echo "lapwing-bootstrap: common.sh is not in the folder of $0; this node is not monitored" >&2
fi
exit 0
