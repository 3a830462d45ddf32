package io.lapwing.agent.web;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Creates certificates with the {@code openssl} program. */
public final class Openssl {

  private Openssl() {}

  /** Runs it; skips the test if it is not installed. */
  public static String run(Path directory, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(words));
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectInput(new File("/dev/null"))
              .start();
    } catch (IOException e) {
      assumeTrue(false, "this machine has no openssl");
      throw e;
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(3, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException("openssl does not end: " + out);
    }
    return out;
  }

  /** A self-signed certificate and its key: {@code name.crt}, {@code name.key}. */
  public static void selfSigned(Path directory, String name, String algorithm, String names)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(List.of("req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=" + name));
    words.addAll(
        algorithm.equals("ec")
            ? List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
            : List.of("-newkey", algorithm));
    words.addAll(List.of("-keyout", name + ".key", "-out", name + ".crt"));
    words.addAll(List.of("-addext", "subjectAltName=" + names));
    run(directory, words.toArray(String[]::new));
  }
}
