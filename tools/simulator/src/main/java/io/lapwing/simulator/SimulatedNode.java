package io.lapwing.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simulated node in a folder: the NVML library, its state file, /sys, /proc and the kernel log.
 *
 * <p>The library finds {@code ../state} by its own path, so an agent needs no environment variable,
 * and several nodes in one process have separate libraries. The module's README describes the state
 * lines. Methods may be called from any thread.
 */
public final class SimulatedNode {
  /** Number of events in the state; older ones are removed. Readers are at most a second behind. */
  private static final int EVENTS_KEPT = 200;

  private static final long MEBIBYTES_OF_RANK = 60_000;

  private static final String EVENT_LOG = "events.jsonl";

  private final Path dir;
  private final InstanceType type;
  private final StateFile state;
  private final NodeKernel kernel;
  private final Clock clock;
  private final Deque<String> events = new ArrayDeque<>();
  private volatile NodeTime time = NodeTime.LIVE;
  private volatile boolean usesDcgm;
  private long lastEvent;
  private @Nullable JobRun jobs;

  private SimulatedNode(
      Path dir, InstanceType type, StateFile state, NodeKernel kernel, Clock clock) {
    this.dir = dir;
    this.type = type;
    this.state = state;
    this.kernel = kernel;
    this.clock = clock;
  }

  /**
   * Writes a healthy, busy node into dir, which is created if missing. Replaces an earlier node.
   */
  public static SimulatedNode create(Path dir, InstanceType type) {
    return create(dir, type, Variant.NEW);
  }

  /** As {@link #create(Path, InstanceType)}, but with the library of another driver version. */
  public static SimulatedNode create(Path dir, InstanceType type, Variant variant) {
    return create(dir, type, variant, Clock.systemUTC());
  }

  /** Writes a node whose GPUs give the answers of a recording. */
  public static SimulatedNode create(Path dir, Recording recording) {
    return create(dir, recording.type(), Variant.NEW, Clock.systemUTC(), recording.lines());
  }

  static SimulatedNode create(Path dir, InstanceType type, Variant variant, Clock clock) {
    return create(dir, type, variant, clock, Map.of());
  }

  private static SimulatedNode create(
      Path dir, InstanceType type, Variant variant, Clock clock, Map<String, String> lines) {
    Path folder = dir.toAbsolutePath();
    Instant now = clock.instant();
    StateFile state = new StateFile(folder.resolve("state"), "A simulated " + type.name() + ".");
    NodeState.of(type, variant, now).forEach(state::put);
    lines.forEach(state::put);
    NodeKernel kernel = new NodeKernel(folder, type, state, Boot.first(now));
    write(
        () -> {
          NodeWriter.write(folder, type, variant);
          kernel.boot(kernel.lastBoot(), now);
          state.write();
          kernel.comeUp();
        });
    return new SimulatedNode(folder, type, state, kernel, clock);
  }

  public InstanceType type() {
    return type;
  }

  public Path dir() {
    return dir;
  }

  /** Value for {@code --nvml.library}. */
  public Path library() {
    return dir.resolve(NodeWriter.LIBRARY);
  }

  /** The CUDA driver's library: value for {@code --deep.library}. */
  public Path cudaLibrary() {
    return dir.resolve(NodeWriter.CUDA);
  }

  /** Value for {@code --dcgm.library}; {@code major} is 4 or 3. */
  public Path dcgmLibrary(int major) {
    return dir.resolve(major == 3 ? NodeWriter.DCGM_3 : NodeWriter.DCGM_4);
  }

  /** The library of another driver version; all of them use the same state. */
  public Path library(Variant variant) {
    return dir.resolve(variant.path());
  }

  /** Value for {@code --path.sysfs}. */
  public Path sysfs() {
    return dir.resolve("sys");
  }

  /** Value for {@code --path.procfs}. */
  public Path procfs() {
    return dir.resolve("proc");
  }

  /** Value for {@code --path.rootfs}. */
  public Path rootfs() {
    return dir;
  }

  /** Value for {@code --path.kmsg}. */
  public Path kmsg() {
    return kernel.log();
  }

  /** Value for {@code --path.state}; created by the agent. */
  public Path agentState() {
    return dir.resolve("agent-state");
  }

  public Path state() {
    return state.file();
  }

  /** The agent's flags for this node, on one line. */
  public String agentFlags() {
    return String.join(" ", agentArguments());
  }

  /** With --dcgm.engine in a scenario that needs it. */
  public List<String> agentArguments() {
    Stream<String> engine = usesDcgm ? Stream.of("--dcgm.engine=localhost:5555") : Stream.empty();
    return Stream.concat(
            Stream.of(
                "--nvml.library=" + library(),
                "--dcgm.library=" + dcgmLibrary(4),
                "--path.sysfs=" + sysfs(),
                "--path.procfs=" + procfs(),
                "--path.rootfs=" + rootfs(),
                "--path.kmsg=" + kmsg(),
                "--path.state=" + agentState(),
                "--training.steps-dir=" + dir.resolve(TrainingJob.STEPS),
                "--jobs.mapping-dir=" + dir.resolve(JobTree.MAPPING),
                "--jobs.pod-resources=" + dir.resolve("var/lib/kubelet/pod-resources/kubelet.sock"),
                "--jobs.kubelet-checkpoint="
                    + dir.resolve("var/lib/kubelet/device-plugins/kubelet_internal_checkpoint"),
                // The host may be an EC2 instance.
                "--imds.url=off"),
            engine)
        .toList();
  }

  /** Sets one line; "since now" in the value is replaced by the node's current time. */
  public void set(String key, String value) {
    change(Map.of(key, value), List.of());
  }

  /** Sets several lines in one step, in the map's order. */
  public void setAll(Map<String, String> lines) {
    change(lines, List.of());
  }

  /** Removes lines, so that earlier lines or presets apply again. */
  public void clear(String... keys) {
    change(Map.of(), List.of(keys));
  }

  /** Removes lines and sets others in one step. */
  public synchronized void change(Map<String, String> set, List<String> clear) {
    boolean wasStopped = time.isStopped();
    clear.forEach(state::remove);
    set.forEach((key, value) -> state.put(key, MigLines.filled(resolved(value), type.gpu())));
    time = NodeTime.of(state.lines().getOrDefault("time", "live"));
    Set<String> keys = new HashSet<>(clear);
    keys.addAll(set.keySet());
    write(
        () -> {
          if (wasStopped != time.isStopped()) {
            kernel.clockWasSet(now());
          }
          kernel.changed(keys, now());
          state.write();
        });
    if (keys.stream().anyMatch(TrainingSettings::isOfTraining)) {
      settleJob();
    }
  }

  /** Applies the initial lines, the history and the name of a scenario. */
  void begin(Scenario scenario) {
    usesDcgm = scenario.usesDcgm();
    write(() -> NodeWriter.mark(dir, type, scenario.name()));
    change(scenario.set(), List.of());
    if (!scenario.history().isEmpty()) {
      write(() -> writeHistory(scenario.history()));
    }
  }

  private void writeHistory(List<PastEvent> events) throws IOException {
    Instant now = now();
    List<String> lines = events.stream().map(event -> event.line(now, kernel::filled)).toList();
    Files.createDirectories(agentState());
    Files.write(agentState().resolve(EVENT_LOG), lines);
  }

  /**
   * Stops time one hour after the counters started, so that every run has the same values. Call it
   * before the library is loaded, because counters never decrease in a loaded library.
   */
  public void freeze(Instant moment) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("epoch", Epoch.seconds(moment.minus(Duration.ofHours(1))));
    lines.put("time", Epoch.seconds(moment));
    setAll(lines);
  }

  /**
   * Runs the node's time faster than real time, for tests of slow changes. Counters, ramps,
   * blocking calls and the kernel log follow it, and an agent has to use {@link #clock}.
   */
  public synchronized void pace(double faster) {
    if (jobs != null) {
      throw new IllegalStateException("a job may be running, and its processes run in real time");
    }
    time = time.paced(faster, clock.instant());
    state.put("time", time.line());
    write(state::write);
  }

  /** The clock of this node. */
  public InstantSource clock() {
    return this::now;
  }

  /**
   * The driver reports an XID of a GPU: one kernel log line with the usual text, and one NVML
   * event.
   */
  public void xid(int gpu, int number) {
    xid(gpu, number, Optional.empty());
  }

  /** As {@link #xid(int, int)}, but with another message, such as that of an XID 154. */
  public void xid(int gpu, int number, String message) {
    xid(gpu, number, Optional.of(message));
  }

  /** As {@link #xid(int, int)}, of a MIG GPU instance. */
  public void migXid(int gpu, int instance, int number) {
    xid(gpu, OptionalInt.of(instance), number, Optional.empty());
  }

  private void xid(int gpu, int number, Optional<String> message) {
    xid(gpu, OptionalInt.empty(), number, message);
  }

  synchronized void xid(int gpu, OptionalInt instance, int number, Optional<String> message) {
    kernelXid(gpu, instance, number, message);
    nvmlXid(gpu, instance, number);
  }

  /** An XID in the kernel log only. */
  public void kernelXid(int gpu, int number) {
    kernelXid(gpu, OptionalInt.empty(), number, Optional.empty());
  }

  private synchronized void kernelXid(
      int gpu, OptionalInt instance, int number, Optional<String> message) {
    known(gpu);
    write(() -> kernel.printXid(gpu, instance, number, message, now()));
  }

  /** An XID as an NVML event only. */
  public void nvmlXid(int gpu, int number) {
    nvmlXid(gpu, OptionalInt.empty(), number);
  }

  /** An XID of a MIG GPU instance, or of the whole GPU, as an NVML event only. */
  public synchronized void nvmlXid(int gpu, OptionalInt instance, int number) {
    lastEvent++;
    String key = "event." + lastEvent;
    events.addLast(key);
    String at = instance.isPresent() ? " gi " + instance.getAsInt() : "";
    state.put(key, gpu + " xid " + number + at);
    if (events.size() > EVENTS_KEPT) {
      state.remove(events.removeFirst());
    }
    write(state::write);
  }

  /**
   * The kernel logs a message. {@code <12>} before the text makes it one of a user program; {@code
   * {pci:3}}, {@code {uuid:3}}, {@code {serial:3}} and {@code {pid:3}} are replaced by values of
   * GPU 3.
   */
  public void kernel(String text) {
    kernel(List.of(KernelLine.of(text)));
  }

  /** Logs several messages with the same time in one write. */
  public synchronized void kernel(List<KernelLine> lines) {
    write(() -> kernel.print(lines, now()));
  }

  /**
   * Resets a GPU: volatile counters restart, pending row remaps become active, and faults that a
   * reset heals are cleared. Counts in the InfoROM stay.
   */
  public synchronized void reset(int gpu) {
    known(gpu);
    new NodeRestart(type, state).reset().apply(gpu, seconds());
    write(state::write);
  }

  /** Reboots the machine: every GPU is reset, the kernel log is emptied, and no job runs. */
  public synchronized void reboot() {
    new NodeRestart(type, state).reboot(seconds());
    restarted(false);
  }

  /** Replaces the machine: a reboot with another instance id and other GPUs. */
  public synchronized void replace() {
    new NodeRestart(type, state).replace(kernel.lastBoot().machine() + 1);
    restarted(true);
  }

  private void restarted(boolean anotherMachine) {
    write(
        () -> {
          kernel.boot(kernel.lastBoot().next(now(), anotherMachine), now());
          state.write();
        });
    settleJob();
    write(kernel::comeUp);
  }

  /**
   * Ends a process on the GPUs.
   *
   * @throws IllegalArgumentException if it is not on any GPU
   */
  public synchronized void exit(long pid) {
    Map<String, String> left = new LinkedHashMap<>();
    for (int gpu = 0; gpu < type.gpuCount(); gpu++) {
      List<GpuProcess> running = GpuProcess.listed(state.ofGpu(gpu, "processes").orElse(""));
      if (running.stream().anyMatch(process -> process.pid() == pid)) {
        left.put(
            "gpu." + gpu + ".processes",
            GpuProcess.line(running.stream().filter(process -> process.pid() != pid).toList()));
      }
    }
    if (left.isEmpty()) {
      throw new IllegalArgumentException("no process " + pid + " on a GPU of this node");
    }
    change(left, List.of());
  }

  /**
   * Updates /proc/uptime and the counters of network devices until closed. Otherwise they are
   * constant between changes.
   */
  public PassingTime letTimePass() {
    return PassingTime.on(this);
  }

  /**
   * Runs the training job of current and later state lines with real processes until closed. They
   * run in real time, and so must the node.
   *
   * @throws IllegalStateException if the node's time is stopped or faster
   */
  public JobRun letJobRun() {
    return letJobRun(StepsWriter.PREFERRED);
  }

  synchronized JobRun letJobRun(List<StepsWriter> writers) {
    if (!time.equals(NodeTime.LIVE)) {
      throw new IllegalStateException("a job's processes live in real time, this node does not");
    }
    JobRun run = new JobRun(this, writers);
    jobs = run;
    settleJob();
    return run;
  }

  private void settleJob() {
    if (jobs != null) {
      jobs.settle(TrainingSettings.of(state.lines(), type));
    }
  }

  /** Replaces the processes on the GPUs by the job's. */
  synchronized void jobStarted(SlurmJob job) {
    write(() -> kernel.jobStarted(job));
    Map<String, String> processes = new LinkedHashMap<>();
    for (JobRank rank : job.ranks()) {
      GpuProcess process = new GpuProcess(rank.pid(), MEBIBYTES_OF_RANK);
      processes.put("gpu." + rank.rank() + ".processes", GpuProcess.line(List.of(process)));
    }
    change(processes, List.of());
  }

  synchronized void jobEnded(SlurmJob job) {
    Map<String, String> processes = new LinkedHashMap<>();
    job.ranks().forEach(rank -> processes.put("gpu." + rank.rank() + ".processes", ""));
    change(processes, List.of());
    write(() -> kernel.jobEnded(job));
  }

  /** Does nothing if a line has already removed it from the GPUs. */
  synchronized void rankEnded(long pid) {
    if (state.lines().values().stream().anyMatch(line -> line.startsWith(pid + ":"))) {
      exit(pid);
    }
  }

  /** Speed of this node's time relative to real time. */
  double rate() {
    return time.rate();
  }

  synchronized void keepTime() {
    write(() -> kernel.writeUptime(now()));
  }

  synchronized void count() {
    write(() -> kernel.count(now()));
  }

  synchronized void keepOpen() {
    write(() -> kernel.keepOpen(now()));
  }

  synchronized void release() {
    write(kernel::release);
  }

  /** The current lines in file order. */
  public synchronized Map<String, String> lines() {
    return state.lines();
  }

  private String resolved(String value) {
    return value.contains("since now")
        ? value.replace("since now", "since " + Epoch.seconds(now()))
        : value;
  }

  private Instant now() {
    return time.at(clock.instant());
  }

  private double seconds() {
    return Double.parseDouble(Epoch.seconds(now()));
  }

  private void known(int gpu) {
    if (gpu < 0 || gpu >= type.gpuCount()) {
      throw new IllegalArgumentException("no GPU " + gpu + " on a " + type.name());
    }
  }

  /** Changes files. Kernel files are written before the library's state. */
  private interface Write {
    void run() throws IOException;
  }

  private static void write(Write files) {
    try {
      files.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
