package io.lapwing.drain.exec;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program to run, and its bounds. No shell sees it.
 *
 * @param program absolute
 * @param environment the whole of it, but for {@code LC_ALL=C}: nothing is inherited
 * @param input for its standard input
 * @param outputLimit bytes of output from which on it is killed
 */
public record Command(
    Path program,
    List<String> arguments,
    Map<String, String> environment,
    String input,
    Duration timeout,
    int outputLimit) {

  /** What a pipe of Linux takes without a reader, so that writing never waits. */
  private static final int PIPE = 64 << 10;

  /**
   * @throws IllegalArgumentException if the program is not absolute or the input is too long
   */
  public Command {
    if (!program.isAbsolute()) {
      throw new IllegalArgumentException("not an absolute path: " + program);
    }
    if (input.getBytes(StandardCharsets.UTF_8).length > PIPE) {
      throw new IllegalArgumentException("more than " + PIPE + " bytes of input");
    }
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
  }

  /** Program and arguments. */
  List<String> line() {
    List<String> line = new ArrayList<>(List.of(program.toString()));
    line.addAll(arguments);
    return line;
  }
}
