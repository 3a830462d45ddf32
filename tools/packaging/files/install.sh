#!/bin/sh
# Installs or upgrades Lapwing from its tarball, on any Linux with glibc.
#
#   ./install.sh              install, and start the service if systemd runs
#   ./install.sh --no-start   install only, as for an image
#   ./install.sh --uninstall  remove it; --purge also removes its configuration and event log
set -eu

from=$(dirname "$(readlink -f "$0")")
start=yes
action=install
for word in "$@"; do
  case $word in
    --no-start) start=no ;;
    --uninstall) action=uninstall ;;
    --purge) action=purge ;;
    *) sed -n 's/^# \{0,1\}//; 2,6p' "$0" && exit 2 ;;
  esac
done
if [ "$(id -u)" -ne 0 ]; then echo "install.sh: must be run as root" >&2 && exit 1; fi

umask 022

has() { command -v "$1" >/dev/null 2>&1; }
wanted() { systemctl --quiet is-enabled "$1" || systemctl --quiet is-active "$1"; }
systemd_runs() { [ -d /run/systemd/system ]; }

# Never overwrites an existing configuration.
keep_or_put() {
  if [ -e "/$1" ]; then
    if ! cmp -s "$from/$1" "/$1"; then
      install -m 0644 "$from/$1" "/$1.new"
      echo "install.sh: kept /$1; the new version is /$1.new"
    fi
  else
    mkdir -p "$(dirname "/$1")"
    install -m 0644 "$from/$1" "/$1"
  fi
}

# Root runs what is installed: it belongs to root, whoever unpacked it with whatever umask. A file that is there may belong
# to the user who unpacked an older release.
put() {
  cp -dR --remove-destination --preserve=mode,timestamps,links "$1" "$2"
  chmod -R u=rwX,go=rX "$2"
}

# Copies the files of the tarball that are not the program, and that find's words choose.
copy_all() {
  (cd "$from" && find usr -type f ! -path 'usr/lib/lapwing/*' "$@") | while IFS= read -r file; do
    mkdir -p "$(dirname "/$file")"
    put "$from/$file" "/$file"
  done
}

install_all() {
  # An upgrade keeps the administrator's choice of what is enabled.
  new=
  for unit in run-lapwing-steps.mount lapwing.socket lapwing.service; do
    [ -e "/usr/lib/systemd/system/$unit" ] || new="$new $unit"
  done
  # Swap in a new folder: a running agent keeps its open files.
  rm -rf /usr/lib/lapwing.new /usr/lib/lapwing.old
  put "$from/usr/lib/lapwing" /usr/lib/lapwing.new
  if [ -e /usr/lib/lapwing ]; then mv /usr/lib/lapwing /usr/lib/lapwing.old; fi
  mv /usr/lib/lapwing.new /usr/lib/lapwing
  rm -rf /usr/lib/lapwing.old
  copy_all ! -path 'usr/lib/systemd/*'
  ln -sfn ../lib/lapwing/bin/lapwing /usr/bin/lapwing
  keep_or_put etc/default/lapwing
  keep_or_put etc/lapwing/lapwing.yml
  /usr/lib/lapwing/bin/make-user
  rm -f /usr/lib/tmpfiles.d/lapwing.conf # of an earlier version
  /usr/lib/lapwing/bin/make-archive
  # Last, so that the next attempt still finds no units, and enables them, if a step before this failed.
  copy_all -path 'usr/lib/systemd/*'
  if has restorecon && [ -e /sys/fs/selinux/enforce ]; then
    restorecon -R /usr/lib/lapwing /usr/bin/lapwing /usr/lib/systemd/system /usr/lib/sysusers.d || true
  fi
  # shellcheck disable=SC2086 # several units
  if has systemctl && [ -n "$new" ]; then systemctl enable $new || true; fi
  if systemd_runs; then
    systemctl daemon-reload
    # Skipped by its condition if an earlier version's folder has files of running loops.
    systemctl start run-lapwing-steps.mount || true
    if [ $start = yes ] && wanted lapwing.service; then
      # systemd takes the port only while no agent has it.
      if wanted lapwing.socket && ! systemctl --quiet is-active lapwing.socket; then systemctl stop lapwing.service || true; fi
      if wanted lapwing.socket; then systemctl start lapwing.socket || true; fi
      systemctl restart lapwing.service
    fi
  fi
}

uninstall_all() {
  # The mount stays while loops write.
  if systemd_runs; then systemctl stop lapwing.socket lapwing.service run-lapwing-steps.mount || true; fi
  if has systemctl; then systemctl disable lapwing.socket lapwing.service run-lapwing-steps.mount || true; fi
  # Everything in the tarball except configuration.
  (cd "$from" && find usr -type f ! -path 'usr/lib/lapwing/*') | while IFS= read -r file; do rm -f "/$file"; done
  rm -rf /usr/lib/lapwing /usr/bin/lapwing /usr/share/lapwing /usr/share/doc/lapwing
  if systemd_runs; then systemctl daemon-reload; fi
}

case $action in
  install) install_all ;;
  uninstall) uninstall_all ;;
  purge)
    uninstall_all
    rm -f /etc/lapwing/lapwing.yml /etc/lapwing/lapwing.yml.new /etc/default/lapwing /etc/default/lapwing.new
    # Keep the folder if the site added files to it.
    rmdir /etc/lapwing 2>/dev/null || true
    rm -rf /var/lib/lapwing
    rm -rf --one-file-system /run/lapwing 2>/dev/null || true
    if getent passwd lapwing >/dev/null; then userdel lapwing || true; fi
    ;;
esac
