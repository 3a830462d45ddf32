# shellcheck shell=bash
# The .rpm, from the tree, the list of libraries and the times that tools/packaging/package has; sourced by it.

# rpm's name of the architecture.
rpm_arch() { case $arch in amd64) echo x86_64 ;; arm64) echo aarch64 ;; esac; }

# A dash separates version and release; 1.0.0~rc1 comes before 1.0.0, as 1.0.0-rc1 does.
rpm_version() { echo "${version//-/\~}"; }

rpm_file() { echo "lapwing-$(rpm_version)-1.$(rpm_arch).rpm"; }

# Each file, and the directories that are the package's own.
rpm_files() {
  local path
  (cd "$tree" && find etc/lapwing usr/lib/lapwing usr/share/lapwing usr/share/doc/lapwing -type d | sort) |
    while IFS= read -r path; do printf '%%dir "/%s"\n' "$path"; done
  (cd "$tree" && find etc usr ! -type d | sort) | while IFS= read -r path; do
    if grep -qxF "/$path" "$here/conffiles"; then printf '%%config(noreplace) '; fi
    printf '"/%s"\n' "$path"
  done
}

spec() {
  local line
  while IFS= read -r line; do
    case $line in
      @REQUIRES@) while IFS= read -r line; do echo "Requires: $line"; done <<<"$libraries" ;;
      @DESCRIPTION@) tail -n +2 "$here/description" ;;
      *)
        line=${line//@VERSION@/$(rpm_version)}
        line=${line//@SUMMARY@/$(head -n 1 "$here/description")}
        printf '%s\n' "${line//@MAINTAINER@/$maintainer}"
        ;;
    esac
  done <"$here/rpm/lapwing.spec.in"
}

# With its own database, and no data of this machine in the headers except rpm's version.
make_rpm() {
  local top=$work/rpm
  mkdir -p "$top"
  spec >"$top/lapwing.spec"
  rpm_files >"$top/files"
  rpmbuild -bb --quiet --target "$(rpm_arch)-linux" --dbpath "$top/db" \
    --define "_topdir $top" --define "_rpmdir $top" --define "tree $tree" --define "filelist $top/files" \
    --define "_binary_payload w$xz_level.xzdio" --define "_buildhost reproducible" \
    --define "use_source_date_epoch_as_buildtime 1" --define "clamp_mtime_to_source_date_epoch 1" \
    "$top/lapwing.spec" >"$top/log" 2>&1 || { cat "$top/log" >&2 && die "rpmbuild failed"; }
  mv "$top/$(rpm_arch)/$(rpm_file)" "$out/"
}
