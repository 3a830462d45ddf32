package io.lapwing.agent;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An agent that is started again whenever it ends, as the unit that ships has it. */
final class Supervised implements AutoCloseable {

  private static final Duration LONG = Duration.ofMinutes(4);

  /** {@code RestartSec} of the unit. */
  private static final Duration RESTART = Duration.ofSeconds(1);

  private final Path dir;
  private final List<String> command;
  private final String address;
  private final List<Integer> exits = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::run, "supervisor");
  private volatile AgentProcess process;
  private volatile Runnable between = () -> {};
  private volatile boolean ended;

  private Supervised(Path dir, List<String> command, String address, AgentProcess first) {
    this.dir = dir;
    this.command = command;
    this.address = address;
    this.process = first;
  }

  /**
   * Starts it with the flags of the JVM that ship, on a port that stays.
   *
   * @param words without an address to listen on
   */
  static Supervised start(Path dir, List<String> words) throws IOException {
    String address;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = "127.0.0.1:" + free.getLocalPort();
    }
    List<String> all = new ArrayList<>(words);
    all.removeIf(word -> word.startsWith("--web.listen-address="));
    all.add("--web.listen-address=" + address);
    List<String> command = AgentProcess.shipped(all);
    Supervised supervised = new Supervised(dir, command, address, AgentProcess.run(dir, command));
    supervised.thread.setDaemon(true);
    supervised.thread.start();
    return supervised;
  }

  private void run() {
    try {
      while (!ended) {
        exits.add(process.awaitEnd());
        if (!ended) {
          between.run();
          Thread.sleep(RESTART.toMillis());
          process = AgentProcess.run(dir, command);
        }
      }
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
    } catch (IOException cannot) {
      throw new AssertionError(cannot);
    }
  }

  /** The task between an end and the next start. */
  void between(Runnable act) {
    between = act;
  }

  AgentProcess process() {
    return process;
  }

  String address() {
    return address;
  }

  /** With which codes it has ended. */
  List<Integer> exits() {
    return exits;
  }

  /** Waits until it has ended so often and answers again. */
  void awaitRestart(int times) {
    await().atMost(LONG).until(() -> exits.size() >= times);
    await()
        .atMost(LONG)
        .ignoreExceptions()
        .pollInterval(Duration.ofMillis(50))
        .until(() -> process.isAlive() && process.get("/-/ready").statusCode() == 200);
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
    process.close();
  }
}
