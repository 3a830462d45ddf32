package io.lapwing.agent;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The agent as a process of its own, on the class path of the tests. */
final class AgentProcess implements AutoCloseable {

  private static final Pattern ADDRESS = Pattern.compile("address=(http://[^ ]+)/metrics");

  private static final Path SHIPPED = Path.of("src/main/dist/jvm.options");

  private final Process process;
  private final Path out;
  private final Path err;

  private AgentProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Starts {@code Main} with these words. */
  static AgentProcess start(Path dir, List<String> words) throws IOException {
    return run(dir, command(words));
  }

  /** Starts it in the heap that ships, where too much memory ends it. */
  static AgentProcess startSmall(Path dir, List<String> words) throws IOException {
    List<String> command = command(words);
    command.addAll(1, shipped("-Xm", "-XX:+ExitOnOutOfMemoryError"));
    return run(dir, command);
  }

  /** Starts it with all the flags that ship, and these. */
  static AgentProcess startShipped(Path dir, List<String> flags, List<String> words)
      throws IOException {
    List<String> command = command(words);
    command.addAll(1, flags);
    command.add(1, "@" + SHIPPED.toAbsolutePath());
    return run(dir, command);
  }

  /** The flags that ship and begin so. */
  private static List<String> shipped(String... beginnings) throws IOException {
    return Files.readAllLines(SHIPPED).stream()
        .filter(line -> Stream.of(beginnings).anyMatch(line::startsWith))
        .toList();
  }

  static List<String> command(List<String> words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(words);
    return command;
  }

  static AgentProcess run(Path dir, List<String> command) throws IOException {
    Path out = Files.createTempFile(dir, "out", "");
    Path err = Files.createTempFile(dir, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("LAPWING_"));
    return new AgentProcess(builder.start(), out, err);
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(TestAgent.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the process does not end");
    }
    return process.exitValue();
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  /** Where it listens, once it says so. */
  String address() {
    return await().atMost(TestAgent.PATIENCE).until(this::found, Optional::isPresent).orElseThrow();
  }

  private Optional<String> found() throws IOException {
    Matcher matcher = ADDRESS.matcher(err());
    if (!matcher.find()) {
      if (!process.isAlive()) {
        throw new AssertionError("it ended: " + err());
      }
      return Optional.empty();
    }
    return Optional.of(matcher.group(1));
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(address() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL, and waits for the end of it. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** Also waits for its end: what it holds open goes with it. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
