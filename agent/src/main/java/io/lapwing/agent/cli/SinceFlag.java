package io.lapwing.agent.cli;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** {@code --since}: a duration before now, or a time. */
public final class SinceFlag {

  public static final String FLAG = "--since";

  private SinceFlag() {}

  /** Empty if the flag is not given. */
  public static Optional<Instant> of(CommandLine line, Instant now) throws ConfigException {
    Optional<String> text = line.value(FLAG);
    return text.isEmpty() ? Optional.empty() : Optional.of(read(text.get(), now));
  }

  private static Instant read(String text, Instant now) throws ConfigException {
    Optional<Duration> ago = DurationText.read(text);
    try {
      return ago.isPresent() ? now.minus(ago.get()) : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new ConfigException(
          List.of(
              "flag --since: '"
                  + text
                  + "' is neither a duration such as 90m, 12h or 7d nor a time such as"
                  + " 2026-11-20T03:00:00Z"));
    }
  }
}
