package io.lapwing.drain.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.lapwing.drain.exec.Scripts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A controller as a process of its own, a Slurm of scripts with one node, and that node's agent.
 */
final class ControllerProcess implements AutoCloseable {

  private static final String SCONTROL =
      """
      cd "${0%/*}"
      line() {
        echo "NodeName=localhost CPUAlloc=0 Gres=gpu:8 State=$1 ThreadsPerCore=1 Partitions=p" \\
          "BootTime=2026-11-25T18:47:33 CfgTRES=cpu=2 AllocTRES= CurrentWatts=0 AveWatts=0$2"
      }
      [[ -e nodes ]] || line IDLE "" >nodes
      for word; do
        case $word in
          Reason=*) reason=${word#Reason=} ;;
          State=DRAIN) line IDLE+DRAIN " Reason=$reason [root@2026-11-25T18:57:00]" >nodes ;;
          State=UNDRAIN | State=RESUME) line IDLE "" >nodes ;;
        esac
      done
      case $* in *"show node"*) cat nodes ;; esac
      """;

  /** The reason comes behind the state on scontrol's command line. */
  private static final String ORDERED =
      SCONTROL.replace(
          "for word; do",
          "for word; do case $word in Reason=*) reason=${word#Reason=} ;; esac; done\nfor word; do");

  private final Path dir;
  private final HttpServer agent;
  private final List<String> flags = new ArrayList<>();
  private Process process;

  ControllerProcess(Path dir, String... more) throws IOException {
    this.dir = dir;
    Scripts.bash(dir.resolve("scontrol"), ORDERED);
    Scripts.bash(dir.resolve("squeue"), ":");
    agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    agent.createContext(
        "/api/v1/health",
        exchange -> {
          byte[] body = health().getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          try (var out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    agent.start();
    flags.addAll(
        List.of(
            "--interval=200ms",
            "--path.state=" + dir.resolve("state"),
            "--scheduler=slurm",
            "--slurm.folder=" + dir,
            "--agent.address=http://{node}:" + agent.getAddress().getPort(),
            "--policy.simulated",
            "--web.listen-address=127.0.0.1:0",
            "--web.unix-socket=" + socket()));
    flags.addAll(List.of(more));
    process = start();
  }

  Path socket() {
    return dir.resolve("drain.sock");
  }

  private Process start() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run"));
    command.addAll(flags);
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private Path log() {
    return dir.resolve("log");
  }

  String logged() throws IOException {
    return Files.readString(log());
  }

  /** Ends it without a chance to do anything, and starts it again. */
  void crash() throws Exception {
    process.destroyForcibly().waitFor();
    process = start();
  }

  void reload() throws Exception {
    new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start().waitFor();
  }

  /** What a command prints, both streams, after its exit code. */
  String command(String name, String... args) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(printed, true, UTF_8);
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--web.unix-socket=" + socket());
    try {
      int code = new Cli(Map.of(), stream, stream).run(name, all);
      return code + "\n" + printed.toString(UTF_8);
    } catch (Exception failed) {
      return "failed: " + failed.getMessage();
    }
  }

  /** Where it listens on TCP; empty before it does. */
  String url() throws IOException {
    String text = logged();
    int at = text.indexOf("msg=listening address=");
    return at < 0 ? "" : text.substring(at + "msg=listening address=".length()).split("\\s", 2)[0];
  }

  String nodes() throws IOException {
    return Files.exists(dir.resolve("nodes")) ? Files.readString(dir.resolve("nodes")) : "";
  }

  private static String health() throws IOException {
    try (InputStream in = ControllerProcess.class.getResourceAsStream("/health/xid-79.json")) {
      String recorded = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
      return recorded.replaceAll("\"at\":\"[^\"]*\"", "\"at\":\"" + Instant.now() + "\"");
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    agent.stop(0);
  }
}
