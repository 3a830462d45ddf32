package io.lapwing.dashboards;

import java.nio.file.Path;

/** Where the files of this repository are. */
final class Repository {

  static final Path ROOT = Path.of("").toAbsolutePath().resolve("../..").normalize();

  static final Path DASHBOARDS = ROOT.resolve("grafana-dashboards");

  static final Path RULES = ROOT.resolve("alert-rules");

  private Repository() {}
}
