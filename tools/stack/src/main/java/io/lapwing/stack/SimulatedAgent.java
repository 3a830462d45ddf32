package io.lapwing.stack;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The agent of a simulated node; it restarts with each boot of the node. */
final class SimulatedAgent implements AutoCloseable {

  private static final Pattern PORT = Pattern.compile("address=http://[^ ]+:(\\d+)/metrics");
  private static final int LOOK_MILLIS = 200;

  private final Path folder;
  private final Path bootId;
  private final List<String> words;
  private final int port;
  private final Thread watch;
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<ServerProcess> lives = new ArrayList<>();

  private SimulatedAgent(Path folder, Path bootId, List<String> words, ServerProcess first) {
    this.folder = folder;
    this.bootId = bootId;
    this.words = words;
    this.port = Integer.parseInt(first.awaitLogged(PORT));
    this.watch = new Thread(this::startAgainAtBoot, "boots");
    lives.add(first);
    first.awaitReady(URI.create("http://" + address()), "/-/ready");
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @param node folder of the simulated node
   * @param words command line without the address
   */
  static SimulatedAgent start(Path folder, Path node, List<String> words) {
    ServerProcess first = ServerProcess.start("agent", folder, command(0, words));
    Path bootId = node.resolve("proc/sys/kernel/random/boot_id");
    SimulatedAgent agent = new SimulatedAgent(folder, bootId, words, first);
    agent.watch.setDaemon(true);
    agent.watch.start();
    return agent;
  }

  private static List<String> command(int port, List<String> words) {
    List<String> command = new ArrayList<>(JavaCommand.of("io.lapwing.agent.Main", "agent"));
    command.add("--web.listen-address=127.0.0.1:" + port);
    command.addAll(words);
    return command;
  }

  private void startAgainAtBoot() {
    try {
      String boot = boot();
      while (!over.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        String now = boot();
        if (!now.equals(boot)) {
          boot = now;
          end();
          if (!now.isEmpty()) {
            startAgain();
          }
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void end() {
    lives.get(lives.size() - 1).kill();
  }

  private synchronized void startAgain() {
    if (over.getCount() > 0) {
      String name = "agent-" + (lives.size() + 1);
      lives.add(ServerProcess.start(name, folder, command(port, words)));
    }
  }

  /** Empty while the node is down. */
  private String boot() {
    try {
      return Files.readString(bootId);
    } catch (IOException down) {
      return "";
    }
  }

  /** {@code HOST:PORT}, the same after restarts. */
  String address() {
    return "127.0.0.1:" + port;
  }

  synchronized String log() {
    return lives.stream().map(ServerProcess::log).collect(Collectors.joining());
  }

  /** Sends SIGKILL; no boot restarts it. */
  synchronized void kill() {
    over.countDown();
    lives.get(lives.size() - 1).kill();
  }

  @Override
  public synchronized void close() {
    over.countDown();
    lives.get(lives.size() - 1).close();
  }
}
