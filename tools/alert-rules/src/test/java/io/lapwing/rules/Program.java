package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A program that a test needs; without it the test is skipped. */
record Program(String name) {

  /** What it prints, both streams, once it has ended well. */
  String run(List<String> arguments) throws IOException, InterruptedException {
    assumeTrue(installed(), name + " is not installed");
    List<String> command = new ArrayList<>(List.of(name));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Programs in Go collect their garbage less often: a fifth less CPU time for promtool's tests.
    builder.environment().putIfAbsent("GOGC", "400");
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
    return output;
  }

  private boolean installed() {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
  }
}
