#!/usr/bin/env bash
# Uploads the rule files, one namespace each, and the alert manager definition to an AMP workspace.
set -euo pipefail

usage() {
  cat <<'EOF'
usage: upload.sh --stack NAME | --workspace WORKSPACE_ID --runbooks URL [--region REGION] [--set detailed|core] [--dcgm]
                 [--automation] [--drain] [--dashboards URL] [--definition FILE [--pagerduty SECRET_ARN]] [--dry-run] [FILE...]

  --stack        the stack of cloudformation.yml, which knows the workspace and the secret
  --runbooks     base URL of your runbooks, a copy of docs/runbooks, in place of https://lapwing.example/runbooks;
                 file:///usr/share/doc/lapwing/runbooks is the copy in Lapwing's package
  --dashboards   where Grafana has the dashboards, https://grafana.example.com/d; without it alerts have no dashboard_url
  --set          detailed: an alert for each kind of fault (default). core: fourteen alerts, by what to do.
                 Rules of the other set that are in the workspace are deleted.
  --dcgm         also the rules for nodes with plain dcgm-exporter
  --automation   also the alerts that wake people in a fleet with automation; alert-manager-definition-automated.yml needs them
  --drain        also the alerts on the drain controller, and on capacity and the queue as it sees them
  --definition   also put this alert manager definition, with the region and the account of the workspace
  --pagerduty    with --definition: critical alerts go to PagerDuty, whose key is in this secret, and not to SNS
  --dry-run      print the calls that would change something; --stack and --definition still read
  FILE...        these rule files, and not those of a set
EOF
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
stack='' workspace='' region='' runbooks='' dashboards='' definition='' pagerduty='' dry='' set='' dcgm='' automation='' drain=''
files=() others=()
while (($#)); do
  case $1 in
    --stack | --workspace | --region | --runbooks | --dashboards | --definition | --pagerduty | --set)
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
[[ -n $stack$workspace ]] || { echo 'upload.sh: which --stack or --workspace?' >&2; usage >&2; exit 2; }
[[ -z $stack || -z $workspace$pagerduty ]] || { echo 'upload.sh: a --stack names its workspace and secret itself' >&2; exit 2; }
[[ -z $pagerduty || $pagerduty =~ ^arn:[a-z-]+:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[A-Za-z0-9/_+=.@-]+$ ]] ||
  { echo "upload.sh: --pagerduty is the ARN of a secret, not $pagerduty" >&2; exit 2; }
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
# With these routes only those alerts page for a single node.
if [[ $definition == *automated* && -n $set && -z $automation ]]; then
  echo 'upload.sh: this definition needs --automation' >&2
  exit 2
fi
# A broken link would be found only when the alert pages.
runbooks=${runbooks%/}
if [[ -z $runbooks || $runbooks == *lapwing.example* || $runbooks == *YOUR-* ]]; then
  echo "upload.sh: where are your --runbooks? ${runbooks:-the default, lapwing.example,} is a placeholder" >&2
  usage >&2
  exit 2
fi
dashboards=${dashboards%/}
for url in "$runbooks" ${dashboards:+"$dashboards"}; do
  [[ $url =~ ^(https?|file)://[^[:space:]\|\&\\]+$ ]] || { echo "upload.sh: $url is not a URL of --runbooks or --dashboards" >&2; exit 2; }
done

[[ -z $definition || -r $definition ]] || { echo "upload.sh: the --definition $definition cannot be read" >&2; exit 2; }
command -v promtool >/dev/null || echo 'upload.sh: promtool is not installed; the rules are uploaded without a check' >&2

# A pager would wait for a key, or fail where there is none.
export AWS_PAGER=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Read-only calls, also made in a dry run.
ask() {
  aws "$@" ${region:+--region "$region"} --output text
}

if [[ -n $stack ]]; then
  output() { ask cloudformation describe-stacks --stack-name "$stack" --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue"; }
  workspace=$(output Workspace)
  pagerduty=$(output PagerDuty)
  [[ -n $workspace ]] || { echo "upload.sh: the stack $stack has no output Workspace; is it that of cloudformation.yml?" >&2; exit 2; }
fi

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
  # The topics are in the region and the account of the workspace. The shipped account is not written out, since a site may
  # replace it in all files here.
  arn=$(ask amp describe-workspace --workspace-id "$workspace" --query workspace.arn)
  IFS=: read -r _ partition _ home account _ <<<"$arn"
  edit=(-e "s|arn:aws:sns:[^:]*:1\{4\}2\{4\}3\{4\}:|arn:$partition:sns:$home:$account:|" -e "s|region: us-east-1|region: $home|")
  if [[ -n $pagerduty ]]; then
    edit+=(-e "s|arn:aws:secretsmanager:.*-AbCdEf|$pagerduty|" -e 's/receiver: page$/receiver: pagerduty/')
  elif grep -q -- '-AbCdEf$' "$definition"; then
    edit+=(-e '/^ *# In place of page/d' -e '/^ *- name: pagerduty$/,/^$/d')
  fi
  sed "${edit[@]}" "$definition" >"$work/definition.yml"
  verb=create-alert-manager-definition
  if [[ -z $dry ]] && amp describe-alert-manager-definition >/dev/null 2>&1; then
    verb=put-alert-manager-definition
  fi
  amp "$verb" --data "fileb://$work/definition.yml"
fi
[[ -z $dry ]] || exit 0

# AMP accepts a file first and validates it afterwards. settled WHAT QUERY CALL...: waits until it is ACTIVE, or prints the error.
settled() {
  local what=$1 query=$2 code reason i
  shift 2
  for ((i = 0; i < ${LAPWING_TRIES:-30}; i++)); do
    ((i == 0)) || sleep "${LAPWING_WAIT:-2}"
    read -r code reason < <(amp "$@" --query "$query.[statusCode,statusReason]" --output text) || true
    case $code in
      ACTIVE) return 0 ;;
      *FAILED) echo "upload.sh: AMP refuses $what: $reason" >&2; return 1 ;;
    esac
  done
  echo "upload.sh: $what is still ${code:-unknown}" >&2
  return 1
}

status=0
for file in "${files[@]}"; do
  name=lapwing-$(basename "$file" .yml)
  settled "$name" ruleGroupsNamespace.status describe-rule-groups-namespace --name "$name" || status=1
done
if [[ -n $definition ]]; then
  settled 'the alert manager definition' alertManagerDefinition.status describe-alert-manager-definition || status=1
fi
((status > 0)) || echo 'AMP has taken all of it'
exit "$status"
