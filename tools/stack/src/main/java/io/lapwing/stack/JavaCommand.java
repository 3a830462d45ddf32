package io.lapwing.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that runs a class of this class path in a separate small JVM. */
final class JavaCommand {

  private JavaCommand() {}

  static List<String> of(String main, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                main));
    command.addAll(List.of(words));
    return command;
  }
}
