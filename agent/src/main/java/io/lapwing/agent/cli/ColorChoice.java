package io.lapwing.agent.cli;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The value of {@code --color}. */
public enum ColorChoice {
  /** On a terminal, unless {@code NO_COLOR} is set: see no-color.org. */
  AUTO,
  ALWAYS,
  NEVER;

  public static final String FLAG = "--color";

  /** {@code auto} without the flag. */
  public static ColorChoice of(CommandLine line) throws ConfigException {
    Optional<String> word = line.value(FLAG);
    if (word.isEmpty()) {
      return AUTO;
    }
    for (ColorChoice choice : values()) {
      if (choice.name().toLowerCase(Locale.ROOT).equals(word.get())) {
        return choice;
      }
    }
    throw new ConfigException(
        List.of("flag --color: '" + word.get() + "' is not one of auto, always and never"));
  }

  /** Whether standard output has colors. */
  public boolean on(Map<String, String> environment) {
    return switch (this) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> isTerminal(1) && environment.getOrDefault("NO_COLOR", "").isEmpty();
    };
  }

  /**
   * Whether a file descriptor of this process is a terminal; false if unknown. Since Java 22
   * System.console() exists without a terminal too.
   */
  public static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException noProc) {
      return false;
    }
  }
}
