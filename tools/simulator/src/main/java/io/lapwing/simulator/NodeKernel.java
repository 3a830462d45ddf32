package io.lapwing.simulator;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** The kernel of a simulated node: its log and its files in /sys and /proc. */
final class NodeKernel {
  private static final Duration DRIVER_COMES = Duration.ofMillis(600);

  /** State line: the mount point of a file system on a local disk that is read-only. */
  private static final String READ_ONLY = "filesystem.read_only";

  private final InstanceType type;
  private final MachineTree machine;
  private final GpuTree gpus;
  private final EfaTree efa;
  private final LustreTree lustre;
  private final EnaTree ena;
  private final PressureTree pressure;
  private final ProcessTree processes;
  private final RunDelays delays = new RunDelays();
  private final StateFile state;
  private final JobTree jobs;
  private final KernelLog log;
  private final DriverLog driver;
  private Boot boot;
  private String driverPresent = "";

  NodeKernel(Path dir, InstanceType type, StateFile state, Boot boot) {
    KernelTree sys = new KernelTree(dir.resolve("sys"));
    KernelTree proc = new KernelTree(dir.resolve("proc"));
    this.type = type;
    this.state = state;
    this.boot = boot;
    this.machine = new MachineTree(type, sys, proc);
    PciTree pci = new PciTree(type, sys);
    this.gpus = new GpuTree(type, state, pci, sys, proc);
    SharedFiles same = new SharedFiles(dir.resolve("same"));
    this.efa = new EfaTree(type, state, pci, same);
    this.lustre = new LustreTree(dir, state, same);
    this.pressure = new PressureTree(proc, state);
    this.processes = new ProcessTree(proc);
    this.jobs = new JobTree(sys, proc, dir);
    this.log = new KernelLog(dir.resolve("dev/kmsg"));
    this.driver = new DriverLog(type, state);
    this.ena = new EnaTree(sys, driver);
  }

  Path log() {
    return log.file();
  }

  Boot lastBoot() {
    return boot;
  }

  /**
   * Writes everything as after a boot. The machine is marked as down until {@link #comeUp}, so that
   * an agent started at the boot does not read files of the earlier boot.
   */
  void boot(Boot latest, Instant now) throws IOException {
    boot = latest;
    machine.goDown();
    machine.write(latest);
    machine.writeUptime(latest.uptime(now));
    pressure.boot(now);
    gpus.write();
    ena.write(now);
    efa.boot(latest, now);
    lustre.boot(latest, now);
    processes.show(processes());
    log.restart();
    log.append(Duration.ZERO, driver.boot());
    log.append(DRIVER_COMES, driver.driver());
    driverPresent = driver.present();
  }

  /** The last step of a boot, when all other files are written. */
  void comeUp() throws IOException {
    machine.comeUp(boot);
  }

  /** The node's clock jumped without a boot. */
  void clockWasSet(Instant now) throws IOException {
    boot = boot.movedTo(now);
    machine.writeBoot(boot);
  }

  /** Applies changed state lines. */
  void changed(Set<String> keys, Instant now) throws IOException {
    if (keys.stream().anyMatch(key -> key.startsWith("driver."))) {
      driverChanged(now);
    }
    if (keys.stream().anyMatch(key -> key.contains(".pcie."))) {
      gpus.writeLinks();
    }
    if (keys.stream().anyMatch(key -> key.startsWith("pci."))) {
      gpus.writeDevices();
    }
    if (keys.stream().anyMatch(key -> key.startsWith("ena."))) {
      ena.count(now);
    }
    if (keys.contains(READ_ONLY)) {
      machine.writeMounts(driver.line(READ_ONLY));
    }
    if (keys.stream().anyMatch(PressureTree::isOfPressure)) {
      pressure.change(now);
    }
    if (keys.stream().anyMatch(TrainingSettings::isOfTraining)) {
      TrainingSettings.of(state.lines(), type).ifPresent(job -> delays.change(job.runDelay(), now));
    }
    efa.changed(keys, now);
    lustre.changed(keys, now);
    if (keys.stream().anyMatch(key -> key.endsWith(".processes"))) {
      processes.show(processes());
    }
    writeUptime(now);
  }

  /** Call this before the job's processes are listed. */
  void jobStarted(SlurmJob job) throws IOException {
    processes.belongTo(Optional.of(job));
    jobs.show(job);
  }

  void jobEnded(SlurmJob job) throws IOException {
    processes.belongTo(Optional.empty());
    delays.clear();
    jobs.hide(job);
  }

  private void driverChanged(Instant now) throws IOException {
    gpus.writeDriver();
    String present = driver.present();
    if (!present.equals(driverPresent)) {
      driverPresent = present;
      print(driver.driver(), now);
    }
  }

  /** Updates counters that change with time. */
  void count(Instant now) throws IOException {
    ena.count(now);
    pressure.tick(now);
    processes.delay(delays.at(now));
    efa.tick(now);
    lustre.tick(now);
  }

  /** Keeps files with frequent writes open until {@link #release}. */
  void keepOpen(Instant now) throws IOException {
    efa.keepOpen(now);
  }

  void release() throws IOException {
    efa.close();
  }

  void writeUptime(Instant now) throws IOException {
    machine.writeUptime(boot.uptime(now));
  }

  void print(List<KernelLine> lines, Instant now) throws IOException {
    log.append(boot.uptime(now), lines.stream().map(this::filled).toList());
  }

  void printXid(int gpu, OptionalInt instance, int number, Optional<String> message, Instant now)
      throws IOException {
    log.append(boot.uptime(now), driver.xid(gpu, instance, number, message));
  }

  private KernelLine filled(KernelLine line) {
    return new KernelLine(line.priority(), filled(line.text()));
  }

  /** Fills in placeholders for this node's GPUs. */
  String filled(String text) {
    return Placeholders.filled(text, this::valueOf);
  }

  private String valueOf(String name, int gpu) {
    return switch (name) {
      case "pci" -> driver.pci(gpu);
      case "pid" -> driver.process(gpu).map(process -> process.pid() + "").orElse("0");
      default -> driver.text(gpu, name);
    };
  }

  private Map<Long, String> processes() {
    Map<Long, String> comms = new TreeMap<>();
    for (int gpu = 0; gpu < type.gpuCount(); gpu++) {
      GpuProcess.listed(driver.text(gpu, "processes"))
          .forEach(process -> comms.put(process.pid(), process.comm()));
    }
    return comms;
  }
}
