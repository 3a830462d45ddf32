package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.engine.RequestFiles.Request;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One request for a time, or for its end. In a file: its word, then the members of its record, a
 * line each.
 */
public sealed interface OperatorRequest {

  /** The longest time of a maintenance: a forgotten one must not hide a fault for longer. */
  Duration MAX_MAINTENANCE = Duration.ofDays(7);

  /** The longest time without monitoring of the GPUs. */
  Duration MAX_RELEASE = Duration.ofHours(4);

  Duration MAX_TEST = Duration.ofHours(1);

  record StartMaintenance(Instant until, String note) implements OperatorRequest {}

  record EndMaintenance() implements OperatorRequest {}

  record ReleaseGpus(Instant until) implements OperatorRequest {}

  record ReopenGpus() implements OperatorRequest {}

  /** {@code subject} as for clearing, {@code gpu:3}; {@code severity} may be empty. */
  record StartTest(Instant until, String rule, String subject, String severity)
      implements OperatorRequest {}

  record EndTests() implements OperatorRequest {}

  String MAINTENANCE = "maintenance";
  String MAINTENANCE_END = "maintenance-end";
  String RELEASE = "release";
  String RELEASE_END = "release-end";
  String TEST = "test-finding";
  String TEST_END = "test-finding-end";

  default List<String> lines() {
    if (this instanceof StartMaintenance start) {
      return List.of(MAINTENANCE, start.until().toString(), start.note());
    }
    if (this instanceof ReleaseGpus release) {
      return List.of(RELEASE, release.until().toString());
    }
    if (this instanceof StartTest test) {
      return List.of(TEST, test.until().toString(), test.rule(), test.subject(), test.severity());
    }
    if (this instanceof EndMaintenance) {
      return List.of(MAINTENANCE_END);
    }
    return List.of(this instanceof ReopenGpus ? RELEASE_END : TEST_END);
  }

  /** Empty for anything else. */
  static Optional<OperatorRequest> of(Request file) {
    try {
      return switch (file.line(0)) {
        case MAINTENANCE ->
            Optional.of(new StartMaintenance(Instant.parse(file.line(1)), file.line(2)));
        case MAINTENANCE_END -> Optional.of(new EndMaintenance());
        case RELEASE -> Optional.of(new ReleaseGpus(Instant.parse(file.line(1))));
        case RELEASE_END -> Optional.of(new ReopenGpus());
        case TEST ->
            Optional.of(
                new StartTest(
                    Instant.parse(file.line(1)), file.line(2), file.line(3), file.line(4)));
        case TEST_END -> Optional.of(new EndTests());
        default -> Optional.empty();
      };
    } catch (DateTimeException noTime) {
      return Optional.empty();
    }
  }
}
