package io.lapwing.agent;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The agent as a process of its own, on the class path of the tests. */
final class AgentProcess implements AutoCloseable {

  private static final Pattern ADDRESS = Pattern.compile("address=(https?://[^ ]+)/metrics");

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final Path SHIPPED = Path.of("src/main/dist/jvm.options");

  /** A machine that runs all tests at once takes its time. */
  private static final Duration STARTING = TestAgent.PATIENCE;

  private static final long MOST_LOG = 32L << 20;

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

  /** Starts it with the flags of the JVM that ship. */
  static AgentProcess startShipped(Path dir, List<String> words) throws IOException {
    return run(dir, shipped(words), Map.of());
  }

  /** The same with variables in its environment. */
  static AgentProcess startShipped(Path dir, List<String> words, Map<String, String> environment)
      throws IOException {
    return run(dir, shipped(words), environment);
  }

  /** The same with more flags. */
  static AgentProcess startShipped(Path dir, List<String> flags, List<String> words)
      throws IOException {
    List<String> command = shipped(words);
    command.addAll(2, flags);
    return run(dir, command);
  }

  /** A command with the flags of the JVM that ship; more of them behind the first word count. */
  static List<String> shipped(List<String> words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                JAVA,
                "@" + SHIPPED.toAbsolutePath(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(words);
    return command;
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
                JAVA,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(words);
    return command;
  }

  static AgentProcess run(Path dir, List<String> command) throws IOException {
    return run(dir, command, Map.of());
  }

  /** Starts {@code Main} with SIGHUP ignored, as nohup does. */
  static AgentProcess startWithSighupIgnored(Path dir, List<String> words) throws IOException {
    return run(dir, "--ignore-signal=HUP", command(words), Map.of());
  }

  /** In an environment that has these variables as well. */
  static AgentProcess run(Path dir, List<String> command, Map<String, String> variables)
      throws IOException {
    // The tests themselves may run with SIGHUP ignored, and a child inherits that.
    return run(dir, "--default-signal=HUP", command, variables);
  }

  private static AgentProcess run(
      Path dir, String sighup, List<String> command, Map<String, String> variables)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("env", sighup));
    words.addAll(command);
    Path out = Files.createTempFile(dir, "out", "");
    Path err = Files.createTempFile(dir, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(dir.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("LAPWING_"));
    // With these the JVM prints a line of its own to standard error.
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    builder.environment().putAll(variables);
    return new AgentProcess(builder.start(), out, err);
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(STARTING.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the process does not end");
    }
    return process.exitValue();
  }

  /** Waits for its end, however long it takes. */
  int awaitEnd() throws InterruptedException {
    return process.waitFor();
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  /** What it wrote to standard error; a log that floods the disk is a failure, with its end. */
  String err() throws IOException {
    long size = Files.size(err);
    if (size > MOST_LOG) {
      try (RandomAccessFile file = new RandomAccessFile(err.toFile(), "r")) {
        file.seek(size - 4096);
        byte[] end = new byte[4096];
        file.readFully(end);
        throw new AssertionError(
            "its log has " + size + " bytes: ..." + new String(end, StandardCharsets.UTF_8));
      }
    }
    return Files.readString(err);
  }

  /** Its address, once it has logged it. */
  String address() {
    return await().atMost(STARTING).until(this::found, Optional::isPresent).orElseThrow();
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

  /** A signal by its name, such as {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).start().waitFor();
    if (code != 0) {
      throw new IOException("no signal " + name + " for " + pid());
    }
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

  /** SIGHUP. */
  void hangUp() throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("/bin/sh", "-c", "kill -HUP " + process.pid()).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new AssertionError("no signal was sent; alive: " + process.isAlive());
    }
  }

  /** Also waits for its end, which closes its files and sockets. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
