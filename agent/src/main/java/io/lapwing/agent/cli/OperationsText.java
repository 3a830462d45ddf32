package io.lapwing.agent.cli;

import io.lapwing.agent.health.Operations;
import io.lapwing.common.text.PlainText;
import io.lapwing.common.text.TimeText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The active operations of operators, a sentence each. */
final class OperationsText {

  private OperationsText() {}

  static List<String> of(Operations operations, Instant now) {
    List<String> texts = new ArrayList<>();
    operations.maintenance().ifPresent(active -> texts.add(of(active, now)));
    operations
        .released()
        .ifPresent(
            active -> texts.add("the GPUs are released until " + TimeText.moment(active.until())));
    return texts;
  }

  static String of(Operations.Maintenance active, Instant now) {
    String note = active.note().isEmpty() ? "" : ": " + PlainText.of(active.note());
    return "in maintenance until "
        + TimeText.moment(active.until())
        + ", since "
        + TimeText.ago(active.since(), now)
        + note;
  }
}
