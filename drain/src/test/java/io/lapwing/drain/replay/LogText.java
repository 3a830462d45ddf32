package io.lapwing.drain.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes an event log as an agent does. */
final class LogText {

  static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

  private final List<String> lines = new ArrayList<>();

  LogText() {
    line(Duration.ZERO, "started", "\"version\":\"0.1.0\"");
  }

  static Instant at(Duration since) {
    return START.plus(since);
  }

  LogText line(Duration since, String kind, String members) {
    String comma = members.isEmpty() ? "" : ",";
    lines.add("{\"kind\":\"" + kind + "\",\"at\":\"" + at(since) + "\"" + comma + members + "}");
    return this;
  }

  LogText opened(Duration since, String rule, String action) {
    return line(
        since,
        "finding_opened",
        finding(rule) + ",\"severity\":\"failing\",\"action\":\"" + action + "\"");
  }

  LogText closed(Duration since, String rule) {
    return line(since, "finding_closed", finding(rule));
  }

  LogText booted(Duration since) {
    return line(since, "booted", "\"bootId\":\"b\"");
  }

  static String finding(String rule) {
    return "\"rule\":\"" + rule + "\",\"subject\":\"node\"";
  }

  /** The log ends with an event at that time, which says nothing about health. */
  LogText until(Duration since) {
    return line(since, "kernel_log_read", "\"sequence\":1,\"lost\":0");
  }

  Path write(Path file) throws IOException {
    return Files.write(file, lines);
  }
}
