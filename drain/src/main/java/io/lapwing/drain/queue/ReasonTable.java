package io.lapwing.drain.queue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The reasons for which a job waits, from a table: those of Slurm ({@code squeue --Format=Reason}),
 * of Kubernetes (conditions of pods) and of Kueue (conditions of workloads).
 */
final class ReasonTable {

  private static final String FILE = "reasons.csv";

  /** Reasons that depend on the state of the nodes; the table has no texts for them. */
  static final String BY_CAPACITY = "capacity";

  private final List<Row> rows;

  /**
   * @param prefix of the reason, in lower case
   */
  private record Row(String prefix, String layer, String words) {}

  private ReasonTable(List<Row> rows) {
    this.rows = rows;
  }

  static ReasonTable shipped() {
    try (InputStream in =
        Objects.requireNonNull(ReasonTable.class.getResourceAsStream(FILE), FILE)) {
      List<Row> rows = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (!line.startsWith("#") && !line.isBlank()) {
          List<String> fields = List.of(line.split(",", 3));
          rows.add(new Row(fields.get(0).toLowerCase(Locale.ROOT), fields.get(1), fields.get(2)));
        }
      }
      return new ReasonTable(rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it depends on the state of the nodes. */
  boolean isByCapacity(String reason) {
    return row(reason).filter(row -> row.layer().equals(BY_CAPACITY)).isPresent();
  }

  /** Empty if the table does not have it. */
  Optional<Wait> wait(String reason) {
    return row(reason)
        .filter(row -> !row.layer().equals(BY_CAPACITY))
        .map(row -> new Wait(Layer.valueOf(row.layer().toUpperCase(Locale.ROOT)), row.words()));
  }

  /** The longest that fits: {@code QOSMaxGRESPerUser} is one of {@code QOSMax}. */
  private Optional<Row> row(String reason) {
    String low = reason.toLowerCase(Locale.ROOT);
    return rows.stream()
        .filter(row -> low.startsWith(row.prefix()))
        .reduce((one, other) -> one.prefix().length() >= other.prefix().length() ? one : other);
  }
}
