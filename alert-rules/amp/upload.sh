#!/usr/bin/env bash
# Uploads the rule files, one namespace each, and the alert manager definition to an AMP workspace.
set -euo pipefail

usage() {
  cat <<'EOF'
usage: upload.sh --workspace WORKSPACE_ID --runbooks URL [--region REGION] [--set detailed|core] [--dcgm] [--automation]
                 [--drain] [--dashboards URL] [--definition FILE] [--dry-run] [FILE...]

  --runbooks     base URL of your runbooks, a copy of docs/runbooks, in place of https://lapwing.example/runbooks;
                 file:///usr/share/doc/lapwing/runbooks is the copy in Lapwing's package
  --dashboards   where Grafana has the dashboards, https://grafana.example.com/d; without it alerts have no dashboard_url
  --set          detailed: an alert for each kind of fault (default). core: about twelve alerts, by what to do.
                 Rules of the other set that are in the workspace are deleted.
  --dcgm         also the rules for nodes with plain dcgm-exporter
  --automation   also the alerts that wake people in a fleet with automation; alert-manager-definition-automated.yml needs them
  --drain        also the alerts on the drain controller, and on capacity and the queue as it sees them
  --definition   also put this alert manager definition
  --dry-run      print the calls instead of making them
  FILE...        these rule files, and not those of a set
EOF
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
workspace='' region='' runbooks='' dashboards='' definition='' dry='' set='' dcgm='' automation='' drain=''
files=() others=()
while (($#)); do
  case $1 in
    --workspace | --region | --runbooks | --dashboards | --definition | --set)
      (($# > 1)) || { echo "upload.sh: $1 needs a value" >&2; exit 2; }
      printf -v "${1#--}" '%s' "$2"
      shift ;;
    --dry-run) dry=yes ;;
    --dcgm) dcgm=yes ;;
    --automation) automation=yes ;;
    --drain) drain=yes ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "upload.sh: there is no $1" >&2; usage >&2; exit 2 ;;
    *) files+=("$1") ;;
  esac
  shift
done
[[ -n $workspace ]] || { echo 'upload.sh: which --workspace?' >&2; usage >&2; exit 2; }
rules=$here/..
if ((${#files[@]})); then
  [[ -z $set$dcgm$automation$drain ]] || { echo 'upload.sh: either files, or --set, --dcgm, --automation and --drain' >&2; exit 2; }
elif [[ ${set:=detailed} == detailed ]]; then
  files=("$rules"/*.yml) others=("$rules"/core/*.yml)
elif [[ $set == core ]]; then
  files=("$rules"/core/*.yml) others=("$rules"/*.yml)
else
  echo "upload.sh: --set is detailed or core, not $set" >&2
  exit 2
fi
[[ -z $dcgm ]] || files+=("$rules"/dcgm/*.yml)
[[ -z $automation ]] || files+=("$rules"/automation/*.yml)
[[ -z $drain ]] || files+=("$rules"/drain/*.yml)
# Under these routes a single node pages by those alerts alone.
if [[ $definition == *automated* && -n $set && -z $automation ]]; then
  echo 'upload.sh: this definition needs --automation' >&2
  exit 2
fi
# A link that leads nowhere is noticed when the alert pages.
runbooks=${runbooks%/}
if [[ -z $runbooks || $runbooks == *lapwing.example* ]]; then
  echo 'upload.sh: where are your --runbooks? lapwing.example is a placeholder' >&2
  usage >&2
  exit 2
fi
dashboards=${dashboards%/}
for url in "$runbooks" ${dashboards:+"$dashboards"}; do
  [[ $url =~ ^(https?|file)://[^[:space:]\|\&\\]+$ ]] || { echo "upload.sh: $url is not a URL of --runbooks or --dashboards" >&2; exit 2; }
done

if [[ -n $definition ]]; then
  [[ -r $definition ]] || { echo "upload.sh: the --definition $definition cannot be read" >&2; exit 2; }
  # Account and secret of the shipped files: notifications would go nowhere. Not written out, since a site replaces the account
  # in all files here.
  if placeholder=$(grep -v '^ *#' "$definition" | grep -m 1 -oE ':1{4}2{4}3{4}:|[^/ ]*-AbCdEf'); then
    echo "upload.sh: $definition still has the placeholder $placeholder" >&2
    exit 2
  fi
fi
command -v promtool >/dev/null || echo 'upload.sh: promtool is not installed; the rules are uploaded without a check' >&2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

amp() {
  local call=(aws amp "$@" --workspace-id "$workspace")
  [[ -z $region ]] || call+=(--region "$region")
  if [[ -n $dry ]]; then
    printf '%q ' "${call[@]}"
    echo
  else
    "${call[@]}"
  fi
}

# All files are checked before the first upload, so that the rules are not updated partially.
for file in "${files[@]}"; do
  name=$(basename "$file" .yml)
  if [[ -n $dashboards ]]; then
    links="s|https://lapwing.example/d/|$dashboards/|"
  else
    links='/^ *dashboard_url: /d'
  fi
  sed -e "s|https://lapwing.example/runbooks|$runbooks|" -e "$links" "$file" >"$work/$name.yml"
  if command -v promtool >/dev/null; then
    promtool check rules "$work/$name.yml" >/dev/null
  fi
done

# The API has separate calls for existing and new namespaces.
there=''
if [[ -z $dry ]]; then
  there=$(amp list-rule-groups-namespaces --query 'ruleGroupsNamespaces[].name' --output text | tr '\t' '\n')
fi
for file in "${files[@]}"; do
  name=$(basename "$file" .yml)
  verb=create-rule-groups-namespace
  if grep -qxF "lapwing-$name" <<<"$there"; then
    verb=put-rule-groups-namespace
  fi
  amp "$verb" --name "lapwing-$name" --data "fileb://$work/$name.yml"
done

# Both sets at once would notify twice.
for file in "${others[@]}"; do
  name=lapwing-$(basename "$file" .yml)
  if grep -qxF "$name" <<<"$there"; then
    amp delete-rule-groups-namespace --name "$name"
  fi
done

if [[ -n $definition ]]; then
  verb=create-alert-manager-definition
  if [[ -z $dry ]] && amp describe-alert-manager-definition >/dev/null 2>&1; then
    verb=put-alert-manager-definition
  fi
  amp "$verb" --data "fileb://$definition"
fi
