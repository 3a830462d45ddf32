# shellcheck shell=bash
# A real Slurm of one node with eight fake GPUs, in a folder and on ports of its own. Sourced by the launcher.

free_port() {
  perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport'
}

# start_slurm FOLDER NODE: starts munged, slurmctld and slurmd as children, and exports SLURM_CONF. The node has the name
# of this machine, as slurmd looks for it.
start_slurm() {
  local work=$1 node=$2 gpu run
  # munged accepts no socket in a folder that only its owner may enter, such as TMPDIR.
  run=$(mktemp -d /run/lapwing-munge.XXXXXX)
  scratch+=("$run")
  chmod 0755 "$run"
  mkdir -m 0700 "$work/munge"
  mkdir "$work/dev" "$work/state" "$work/spool"
  (umask 077 && head -c 1024 /dev/urandom >"$work/munge/key")
  for gpu in 0 1 2 3 4 5 6 7; do mknod "$work/dev/nvidia$gpu" c 1 3; done
  printf 'AutoDetect=off\nNodeName=%s Name=gpu Count=8 File=%s/dev/nvidia[0-7]\n' "$node" "$work" >"$work/gres.conf"
  export SLURM_CONF=$work/slurm.conf
  cat >"$SLURM_CONF" <<CONF
ClusterName=demo
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$run/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SwitchType=switch/none
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 RealMemory=500 Gres=gpu:8 State=UNKNOWN
PartitionName=p Nodes=$node Default=YES MaxTime=INFINITE State=UP
CONF
  start_daemon munged --foreground --key-file="$work/munge/key" --pid-file="$work/munged.pid" \
    --seed-file="$work/munge/seed" --log-file="$work/munge/log" --socket="$run/socket"
  until [[ -S $run/socket ]]; do kill -0 "${children[-1]}" 2>/dev/null || return; sleep 0.1; done
  start_daemon slurmctld -D -f "$SLURM_CONF"
  start_slurmd
}

# As after a boot.
start_slurmd() {
  start_daemon slurmd -D -b -f "$SLURM_CONF"
  slurmd=${children[-1]}
}

start_daemon() {
  "${tied[@]}" "$@" </dev/null >>"${SLURM_CONF%/*}/daemons.log" 2>&1 &
  children+=($!)
}
