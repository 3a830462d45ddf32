# shellcheck shell=bash
# The .deb of the drain controller, made as the agent's; sourced by tools/packaging/package, whose variables it
# sets for its functions.
# shellcheck disable=SC2034,SC2154

make_drain_deb() {
  name=lapwing-drain
  tree=$work/drain-tree
  dist=$root/drain/target/dist
  jar=$dist/lapwing-drain.jar
  bom=$root/drain/target/bom.json
  home=$tree/usr/lib/lapwing-drain
  # In addition to the agent's: the JDK's HTTP client for agents and the API server, jdk.net for the user at a Unix socket.
  modules+=,java.net.http,jdk.net
  put_controller
  put_runtime
  put_controller_service
  put_controller_documents
  normalize
  libraries=$(linked_libraries)
  make_deb "$here/drain" "$here/drain"
}

put_controller() {
  put_jars
  cp "$here/drain/classes.lst" "$home/classes.lst"
  put 0755 "$here/drain/lapwing-drain" usr/lib/lapwing-drain/bin/lapwing-drain
  put 0755 "$here/files/make-archive" usr/lib/lapwing-drain/bin/make-archive
  of_package "$here/files/make-user" | sed 's/Lapwing, .* node/Lapwing, the drain controller/' >"$home/bin/make-user"
  chmod 0755 "$home/bin/make-user"
  mkdir -p "$tree/usr/bin"
  ln -s ../lib/lapwing-drain/bin/lapwing-drain "$tree/usr/bin/lapwing-drain"
}

put_controller_service() {
  put 0644 "$root/systemd/lapwing-drain.service" usr/lib/systemd/system/lapwing-drain.service
  put 0644 "$root/systemd/lapwing-drain.sysusers" usr/lib/sysusers.d/lapwing-drain.conf
  put 0644 "$root/systemd/lapwing-drain.default" etc/default/lapwing-drain
  put 0644 "$here/drain/drain.yml" etc/lapwing-drain/drain.yml
}

put_controller_documents() {
  run_jar run --help >"$work/options"
  put_common_documents "$here/drain"
  install -m 0644 -t "$tree/usr/share/doc/lapwing-drain" "$root"/docs/drain*.md
  install -D -m 0755 -t "$tree/usr/share/doc/lapwing-drain/examples" "$here/drain/reset-gpus"
}
