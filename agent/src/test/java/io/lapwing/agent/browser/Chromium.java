package io.lapwing.agent.browser;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A headless Chromium with a profile of its own. Only this machine can be reached from it. */
public final class Chromium implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  private final Process process;
  private final URI address;

  private Chromium(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /** Skips the test, saying so, where there is no Chromium. */
  public static Chromium start(Path dir) throws IOException {
    Optional<Path> program = program();
    assumeTrue(program.isPresent(), "chromium is not installed");
    Path profile = Files.createDirectories(dir.resolve("profile"));
    List<String> command =
        List.of(
            program.orElseThrow().toString(),
            "--headless=new",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            // A container has neither the rights nor the shared memory that it would take.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--hide-scrollbars",
            "--no-first-run",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            "about:blank");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("chromium.log").toFile())
            .start();
    Path port = profile.resolve("DevToolsActivePort");
    List<String> lines =
        await().atMost(PATIENCE).until(() -> lines(port, process), read -> read.size() == 2);
    return new Chromium(
        process, URI.create("ws://127.0.0.1:" + lines.get(0).strip() + lines.get(1).strip()));
  }

  private static List<String> lines(Path port, Process process) throws IOException {
    if (!process.isAlive()) {
      throw new AssertionError("chromium ended with " + process.exitValue());
    }
    return Files.exists(port) ? Files.readAllLines(port) : List.of();
  }

  private static Optional<Path> program() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .flatMap(dir -> NAMES.stream().map(name -> Path.of(dir, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** A page of its own. */
  public Tab tab() {
    return Tab.open(address);
  }

  /** Ends it and its children, which would write into the profile while that is removed. */
  @Override
  public void close() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(one -> one.onExit().join());
  }
}
