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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A node that does not exist, in a folder: the library, the state that it answers from, /sys, /proc
 * and the kernel log.
 *
 * <p>The folder is all there is: the library finds {@code ../state} beside itself, so an agent
 * needs no environment variable, and every node in one process is a library of its own. What a line
 * of the state means is in the module's README. Methods may be called from any thread.
 */
public final class SimulatedNode {
  /**
   * Events are kept in the state until this many newer ones came; a reader is at most a second
   * behind.
   */
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

  /** Writes a healthy, busy node of that type into dir, which is made when it is not there. */
  public static SimulatedNode create(Path dir, InstanceType type) {
    return create(dir, type, Variant.NEW);
  }

  /** The same, with the library of an older driver as its main one. */
  public static SimulatedNode create(Path dir, InstanceType type, Variant variant) {
    return create(dir, type, variant, Clock.systemUTC());
  }

  static SimulatedNode create(Path dir, InstanceType type, Variant variant, Clock clock) {
    Path folder = dir.toAbsolutePath();
    Instant now = clock.instant();
    StateFile state = new StateFile(folder.resolve("state"), "A simulated " + type.name() + ".");
    NodeState.of(type, variant, now).forEach(state::put);
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

  /** What {@code --nvml.library} wants. */
  public Path library() {
    return dir.resolve(NodeWriter.LIBRARY);
  }

  /** Another driver's library for the same node; all of them answer from the same state. */
  public Path library(Variant variant) {
    return dir.resolve(variant.path());
  }

  /** What {@code --path.sysfs} wants. */
  public Path sysfs() {
    return dir.resolve("sys");
  }

  /** What {@code --path.procfs} wants. */
  public Path procfs() {
    return dir.resolve("proc");
  }

  /** What {@code --path.rootfs} wants. */
  public Path rootfs() {
    return dir;
  }

  /** What {@code --path.kmsg} wants. */
  public Path kmsg() {
    return kernel.log();
  }

  /** What {@code --path.state} wants: the agent makes it, and keeps there what happened. */
  public Path agentState() {
    return dir.resolve("agent-state");
  }

  public Path state() {
    return state.file();
  }

  /** The flags that make an agent read this node, on one line. */
  public String agentFlags() {
    return String.join(" ", agentArguments());
  }

  public List<String> agentArguments() {
    return List.of(
        "--nvml.library=" + library(),
        "--path.sysfs=" + sysfs(),
        "--path.procfs=" + procfs(),
        "--path.kmsg=" + kmsg(),
        "--path.state=" + agentState(),
        "--training.steps-dir=" + dir.resolve(TrainingJob.STEPS),
        "--jobs.mapping-dir=" + dir.resolve(JobTree.MAPPING),
        "--jobs.pod-resources=" + dir.resolve("var/lib/kubelet/pod-resources/kubelet.sock"),
        "--jobs.kubelet-checkpoint="
            + dir.resolve("var/lib/kubelet/device-plugins/kubelet_internal_checkpoint"),
        // The machine that simulates may be an instance of EC2 itself.
        "--imds.url=off");
  }

  /** Sets one line; "since now" in the value becomes the node's present second. */
  public void set(String key, String value) {
    change(Map.of(key, value), List.of());
  }

  /** Sets several lines in one step, in the map's order. */
  public void setAll(Map<String, String> lines) {
    change(lines, List.of());
  }

  /** Takes lines away, so that the ones before them or the presets are valid again. */
  public void clear(String... keys) {
    change(Map.of(), List.of(keys));
  }

  /** Takes lines away and sets others, in one step. */
  public synchronized void change(Map<String, String> set, List<String> clear) {
    boolean stood = time.stands();
    clear.forEach(state::remove);
    set.forEach((key, value) -> state.put(key, resolved(value)));
    time = NodeTime.of(state.lines().getOrDefault("time", "live"));
    Set<String> keys = new HashSet<>(clear);
    keys.addAll(set.keySet());
    write(
        () -> {
          if (stood != time.stands()) {
            kernel.clockWasSet(now());
          }
          kernel.changed(keys, now());
          state.write();
        });
    if (keys.stream().anyMatch(TrainingSettings::isOfTraining)) {
      settleJob();
    }
  }

  /** The lines that a scenario starts with, its past, and its name in the marker file. */
  void begin(Scenario scenario) {
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
   * Lets time stand still, an hour after the counters began, so that every value is the same in
   * every run. Has to come before a library of the node is loaded: counters never go back in one
   * that has already counted.
   */
  public void freeze(Instant moment) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("epoch", Epoch.seconds(moment.minus(Duration.ofHours(1))));
    lines.put("time", Epoch.seconds(moment));
    setAll(lines);
  }

  /**
   * Lets the node's time run so many times as fast as the real one from now on, for who cannot wait
   * for what takes minutes: counters, ramps, calls that block and the kernel log all go by it. An
   * agent has to go by {@link #clock} then.
   */
  public synchronized void pace(double faster) {
    if (jobs != null) {
      throw new IllegalStateException("a job may run, whose processes live in real time");
    }
    time = time.paced(faster, clock.instant());
    state.put("time", time.line());
    write(state::write);
  }

  /** What time it is on this node. */
  public InstantSource clock() {
    return this::now;
  }

  /**
   * The driver reports an XID of that GPU: it prints the line that is usual for the number, and
   * tells everybody who has registered for events of the GPU, once.
   */
  public void xid(int gpu, int number) {
    xid(gpu, number, Optional.empty());
  }

  /** The same with a message of one's own, such as that of an XID 154. */
  public void xid(int gpu, int number, String message) {
    xid(gpu, number, Optional.of(message));
  }

  synchronized void xid(int gpu, int number, Optional<String> message) {
    kernelXid(gpu, number, message);
    nvmlXid(gpu, number);
  }

  /** An XID that only the kernel log tells of. */
  public void kernelXid(int gpu, int number) {
    kernelXid(gpu, number, Optional.empty());
  }

  private synchronized void kernelXid(int gpu, int number, Optional<String> message) {
    known(gpu);
    write(() -> kernel.printXid(gpu, number, message, now()));
  }

  /** An XID that only NVML tells of. */
  public synchronized void nvmlXid(int gpu, int number) {
    lastEvent++;
    String key = "event." + lastEvent;
    events.addLast(key);
    state.put(key, gpu + " xid " + number);
    if (events.size() > EVENTS_KEPT) {
      state.remove(events.removeFirst());
    }
    write(state::write);
  }

  /**
   * The kernel prints a message. {@code <12>} before the text makes it a user's; {@code {pci:3}},
   * {@code {uuid:3}}, {@code {serial:3}} and {@code {pid:3}} stand for what GPU 3 has.
   */
  public void kernel(String text) {
    kernel(List.of(KernelLine.of(text)));
  }

  /** Several messages of one moment, with one write. */
  public synchronized void kernel(List<KernelLine> lines) {
    write(() -> kernel.print(lines, now()));
  }

  /**
   * Somebody resets that GPU: what its driver counts begins anew, row remaps that waited become
   * active, and what only a reset heals is healed. Counts in the InfoROM stay.
   */
  public synchronized void reset(int gpu) {
    known(gpu);
    new NodeRestart(type, state).reset().apply(gpu, seconds());
    write(state::write);
  }

  /** The machine is booted: every GPU is reset, the kernel log begins anew, no job runs. */
  public synchronized void reboot() {
    new NodeRestart(type, state).reboot(seconds());
    restarted(false);
  }

  /** Another machine takes this one's place: a reboot with another instance id and other GPUs. */
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
   * A process on the GPUs ends.
   *
   * @throws IllegalArgumentException when none of the GPUs has it
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
   * Lets what the kernel counts go on by itself until that is closed: /proc/uptime and the counters
   * of network devices, which otherwise stand still between changes.
   */
  public PassingTime letTimePass() {
    return PassingTime.on(this);
  }

  /**
   * Lets the training job run that the state's lines tell of, now or later, with real processes:
   * without that it is told of in lines alone. They live in real time, so the node has to.
   *
   * @throws IllegalStateException when its time stands, or runs at another pace
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

  /** These processes are on the GPUs instead of those that were. */
  synchronized void jobBegan(SlurmJob job) {
    write(() -> kernel.jobBegan(job));
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

  /** Nothing when a line has taken it from the GPUs before. */
  synchronized void rankEnded(long pid) {
    if (state.lines().values().stream().anyMatch(line -> line.startsWith(pid + ":"))) {
      exit(pid);
    }
  }

  /** How many times as fast as the real one this node's time runs. */
  double rate() {
    return time.rate();
  }

  synchronized void keepTime() {
    write(() -> kernel.writeUptime(now()));
  }

  synchronized void count() {
    write(() -> kernel.count(now()));
  }

  synchronized void hold() {
    write(() -> kernel.hold(now()));
  }

  synchronized void letGo() {
    write(kernel::letGo);
  }

  /** The lines as they stand, in the order of the file. */
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

  /** Changes files. Those of the kernel come first: the library's answers are true of them. */
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
