package io.lapwing.drain.slurm;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Slurm's times have no zone: its commands run with {@code TZ=UTC}. */
final class SlurmTime {

  private SlurmTime() {}

  /** Empty if it is one of Slurm's words for none: {@code None}, {@code N/A}, {@code Unknown}. */
  static Optional<Instant> parse(String text) throws UnreadableAnswer {
    if (text.equals("None") || text.equals("N/A") || text.equals("Unknown")) {
      return Optional.empty();
    }
    try {
      return Optional.of(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException e) {
      throw new UnreadableAnswer("not a time", text);
    }
  }
}
