#!/usr/bin/env bash
# Uploads the rule files, one namespace each, and the alert manager definition to an AMP workspace.
set -euo pipefail

usage() {
  cat <<'EOF'
usage: upload.sh --workspace WORKSPACE_ID [--region REGION] [--runbooks URL] [--definition FILE] [--dry-run] [FILE...]

  FILE...        rule files; all of alert-rules/*.yml where none is named
  --runbooks     where your runbooks are, in place of https://lapwing.example/runbooks
  --definition   also put this alert manager definition
  --dry-run      print the calls instead of making them
EOF
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
workspace='' region='' runbooks='' definition='' dry=''
files=()
while (($#)); do
  case $1 in
    --workspace | --region | --runbooks | --definition)
      (($# > 1)) || { echo "upload.sh: $1 needs a value" >&2; exit 2; }
      printf -v "${1#--}" '%s' "$2"
      shift ;;
    --dry-run) dry=yes ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "upload.sh: there is no $1" >&2; usage >&2; exit 2 ;;
    *) files+=("$1") ;;
  esac
  shift
done
[[ -n $workspace ]] || { echo 'upload.sh: which --workspace?' >&2; usage >&2; exit 2; }
((${#files[@]})) || files=("$here"/../*.yml)

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
  sed "s|https://lapwing.example/runbooks|${runbooks:-https://lapwing.example/runbooks}|" "$file" >"$work/$name.yml"
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

if [[ -n $definition ]]; then
  verb=create-alert-manager-definition
  if [[ -z $dry ]] && amp describe-alert-manager-definition >/dev/null 2>&1; then
    verb=put-alert-manager-definition
  fi
  amp "$verb" --data "fileb://$definition"
fi
