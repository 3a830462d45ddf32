package io.lapwing.drain.slurm;

import static org.awaitility.Awaitility.await;

import io.lapwing.drain.exec.Command;
import io.lapwing.drain.exec.Executables;
import io.lapwing.drain.exec.Outcome;
import io.lapwing.drain.exec.Outcome.Exited;
import io.lapwing.drain.exec.ProgramRun;
import io.lapwing.drain.exec.Scripts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A real Slurm of one node with eight GPUs that are none, in a folder and on ports of its own. */
final class OneNodeSlurm implements AutoCloseable {

  private static final List<Path> FOLDERS =
      List.of(Path.of("/usr/bin"), Path.of("/usr/sbin"), Path.of("/bin"));
  private static final Duration LIMIT = Duration.ofMinutes(1);

  final String node;
  final Path conf;
  private final Path dir;

  private OneNodeSlurm(Path dir) throws IOException {
    this.dir = dir;
    this.conf = dir.resolve("slurm.conf");
    this.node = run("hostname", "-s").strip();
  }

  /** What is missing to start one; empty if nothing is. */
  static String missing() {
    for (String tool :
        List.of("munged", "slurmctld", "slurmd", "scontrol", "squeue", "sbatch", "scancel")) {
      if (Executables.find(tool, FOLDERS).isEmpty()) {
        return tool + " is not installed";
      }
    }
    return "root".equals(System.getProperty("user.name")) ? "" : "this needs root";
  }

  /** With a node that is never there, and one of the cloud. */
  static OneNodeSlurm start(Path dir) throws IOException {
    return start(dir, Fixtures.text("slurm.conf"));
  }

  /** That accepts JSON Web Tokens, too. */
  static OneNodeSlurm startWithTokens(Path dir) throws IOException {
    Path key = dir.resolve("jwt.key");
    Files.write(key, new SecureRandom().generateSeed(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return start(
        dir,
        Fixtures.text("slurm.conf")
            + "AuthAltTypes=auth/jwt\nAuthAltParameters=jwt_key="
            + key
            + "\n");
  }

  /** With no other node that is missing. */
  static OneNodeSlurm startAlone(Path dir) throws IOException {
    return start(
        dir,
        Fixtures.text("slurm.conf")
            .replaceAll("NodeName=absent1 .*", "")
            .replace("Nodes=absent1,", "Nodes="));
  }

  private static OneNodeSlurm start(Path dir, String configuration) throws IOException {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    OneNodeSlurm slurm = new OneNodeSlurm(dir);
    slurm.munge();
    slurm.configure(configuration);
    slurm.startController();
    slurm.startNode();
    return slurm;
  }

  private void munge() throws IOException {
    Path munge = Files.createDirectory(dir.resolve("munge"));
    Files.setPosixFilePermissions(munge, PosixFilePermissions.fromString("rwx------"));
    Path key = munge.resolve("key");
    run("dd", "if=/dev/urandom", "of=" + key, "bs=1024", "count=1", "status=none");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("r--------"));
    run(
        "munged",
        "--force",
        "--key-file=" + key,
        "--pid-file=" + dir.resolve("munged.pid"),
        "--seed-file=" + munge.resolve("seed"),
        "--log-file=" + munge.resolve("log"),
        "--socket=" + dir.resolve("munge.socket"));
  }

  private void configure(String configuration) throws IOException {
    Files.createDirectories(dir.resolve("dev"));
    Files.createDirectories(dir.resolve("state"));
    Files.createDirectories(dir.resolve("spool"));
    for (int gpu = 0; gpu < 8; gpu++) {
      run("mknod", dir.resolve("dev/nvidia" + gpu).toString(), "c", "1", "3");
    }
    Scripts.bash(dir.resolve("reboot"), "echo rebooted >>" + dir.resolve("reboots"));
    Files.writeString(
        dir.resolve("gres.conf"),
        "AutoDetect=off\nNodeName=%s Name=gpu Count=8 File=%s/dev/nvidia[0-7]\n"
            .formatted(node, dir));
    Files.writeString(
        conf,
        configuration
            .replace("@NODE@", node)
            .replace("@DIR@", dir.toString())
            .replace("@CONTROLLER_PORT@", freePort())
            .replace("@NODE_PORT@", freePort())
            .replace("@ABSENT_PORT@", freePort()));
  }

  private static String freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(socket.getLocalPort());
    }
  }

  void startController() throws IOException {
    run("slurmctld", "-f", conf.toString());
  }

  /** As after a boot. */
  void startNode() throws IOException {
    run("slurmd", "-f", conf.toString(), "-b");
  }

  /**
   * The node registers seconds after its boot, as a real one does. In the same second slurmctld may
   * take the next registration for another boot, since it computes the time from the uptime.
   */
  void rebootNode() throws IOException {
    stopNode();
    stopController();
    startNode();
    Instant booted = Instant.now();
    await().atMost(LIMIT).until(() -> Instant.now().isAfter(booted.plusSeconds(2)));
    startController();
  }

  void stopController() throws IOException {
    stop("slurmctld.pid");
  }

  void stopNode() throws IOException {
    stop("slurmd.pid");
  }

  private void stop(String pidFile) throws IOException {
    long pid = Long.parseLong(Files.readString(dir.resolve(pidFile)).strip());
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    await().atMost(LIMIT).until(() -> ProcessHandle.of(pid).filter(OneNodeSlurm::runs).isEmpty());
  }

  /** A process that nobody waits for stays as a zombie, without a command. */
  private static boolean runs(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  /** Whether Slurm has called its RebootProgram that often. */
  boolean rebooted(int times) throws IOException {
    Path reboots = dir.resolve("reboots");
    return Files.exists(reboots) && Files.readAllLines(reboots).size() == times;
  }

  /** A job of the node that sleeps; its id. */
  String submit(String... options) throws IOException {
    List<String> line = new ArrayList<>(List.of("sbatch", "--parsable", "--output=/dev/null"));
    line.addAll(Arrays.asList(options));
    line.addAll(List.of("--wrap", "exec sleep 1000"));
    return run(line.toArray(String[]::new)).strip();
  }

  /** {@code scontrol} by another user. */
  String scontrol(String... arguments) throws IOException {
    return run(Stream.concat(Stream.of("scontrol"), Stream.of(arguments)).toArray(String[]::new));
  }

  String run(String... line) throws IOException {
    Outcome outcome = tryRun(line);
    if (outcome instanceof Exited exited && exited.code() == 0) {
      return exited.output();
    }
    throw new IOException(String.join(" ", line) + ": " + outcome);
  }

  Outcome tryRun(String... line) throws IOException {
    Path program = Executables.find(line[0], FOLDERS).orElseThrow(() -> new IOException(line[0]));
    return ProgramRun.of(
        new Command(
            program,
            List.of(line).subList(1, line.length),
            Map.of("SLURM_CONF", conf.toString(), "PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
            "",
            LIMIT,
            1 << 20));
  }

  /** A program that lasts as long as its job; what it exits with does not matter. */
  void interactive(String... line) {
    try {
      Outcome unused = tryRun(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  SlurmCommands commands() {
    return SlurmCommands.find(
            FOLDERS, Map.of("SLURM_CONF", conf.toString()), Duration.ofSeconds(30))
        .orElseThrow();
  }

  /** Jobs first: a slurmstepd survives its slurmd. */
  @Override
  public void close() throws IOException {
    tryRun("scancel", "--user=root");
    if (Files.exists(dir.resolve("slurmctld.pid"))) {
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  tryRun("squeue", "--noheader") instanceof Exited left && left.output().isEmpty());
    }
    for (String pidFile : List.of("slurmd.pid", "slurmctld.pid", "munged.pid")) {
      if (Files.exists(dir.resolve(pidFile))) {
        stop(pidFile);
      }
    }
  }
}
