package io.lapwing.stack.fleet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The program promtool, where this machine has it. */
final class Promtool {

  private Promtool() {}

  static Process orSkip(String... arguments) {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(Arrays.asList(arguments));
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return Assumptions.abort("promtool is missing on this machine");
    }
  }
}
