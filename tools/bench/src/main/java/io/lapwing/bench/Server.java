package io.lapwing.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running server under test: how it was started, its process, its port. */
public final class Server implements AutoCloseable {

  private final Program program;
  private final Process process;
  private final int port;
  private final long startedNanos;

  private Server(Program program, Process process, int port, long startedNanos) {
    this.program = program;
    this.process = process;
    this.port = port;
    this.startedNanos = startedNanos;
  }

  /**
   * A program that serves /metrics.
   *
   * @param command its command line, without the address to listen on
   * @param marker prefix of a line that a complete response has
   */
  public record Program(String name, List<String> command, String marker, Path log) {

    /** Starts it on a free port. */
    public Server start() throws IOException {
      int port = freePort();
      List<String> full = new ArrayList<>(command);
      full.add("--web.listen-address=127.0.0.1:" + port);
      ProcessBuilder builder = new ProcessBuilder(full);
      builder
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      // The user's LAPWING_... variables would change the agent's flags.
      builder.environment().keySet().removeIf(name -> name.startsWith("LAPWING_"));
      long started = System.nanoTime();
      Process process = builder.start();
      // A signal that ends this process also ends the server.
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
      return new Server(this, process, port, started);
    }

    private static int freePort() throws IOException {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      }
    }
  }

  Program program() {
    return program;
  }

  long startedNanos() {
    return startedNanos;
  }

  public ProcessAccount account() {
    return new ProcessAccount(process.pid());
  }

  public ScrapeClient connect(Encoding encoding) throws IOException {
    return new ScrapeClient(port, "/metrics", encoding);
  }

  /** A connection that repeats a complete request. */
  public ScrapeClient connect(byte[] request) throws IOException {
    return new ScrapeClient(port, request);
  }

  public int port() {
    return port;
  }

  /** Throws with the reason if the server has exited. */
  public void mustBeAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IOException(
          program.name() + " ended with " + process.exitValue() + "; its log is " + program.log());
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
