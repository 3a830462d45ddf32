package io.lapwing.agent;

import io.lapwing.agent.config.PathSettings;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.WorkloadSettings;
import io.lapwing.agent.poll.PollClock;
import io.lapwing.collect.SourceSet;
import io.lapwing.inference.InferenceSource;
import io.lapwing.jobs.JobBoard;
import io.lapwing.jobs.JobsSource;
import io.lapwing.kubelet.KubeletSocket;
import io.lapwing.linux.ProcRoot;
import io.lapwing.nccl.InspectorSource;
import io.lapwing.nccl.NodeAddresses;
import io.lapwing.nccl.RasEndpoint;
import io.lapwing.nccl.RasSource;
import io.lapwing.node.InstanceType;
import io.lapwing.node.NodeSource;
import io.lapwing.training.PeakFlops;
import io.lapwing.training.Precision;
import io.lapwing.training.ProcTrainingProcesses;
import io.lapwing.training.TrainingSource;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The sources of what runs on the node: whose the GPUs are, training loops, inference engines,
 * NCCL.
 *
 * @param board where the jobs of each GPU are put, for who labels by them
 */
record Workloads(
    Settings settings, GpuDirectory gpus, NodeSource node, JobBoard board, PollClock clock) {

  private static final double TERA = 1e12;

  /**
   * Begins to read them.
   *
   * @param sources where those that others find are started too
   */
  void startReading(SourceSet sources) {
    if (enabled(JobsSource.COLLECTOR)) {
      sources.add(jobs());
    }
    if (enabled(TrainingSource.COLLECTOR)) {
      sources.add(training(sources));
    }
    readWhatIsAskedFor(settings.workload(), sources);
  }

  private void readWhatIsAskedFor(WorkloadSettings what, SourceSet sources) {
    if (what.inference().any()) {
      sources.add(new InferenceSource(what.inference().auto(), what.inference().pages(), sources));
    }
    what.ras()
        .map(ras -> new RasEndpoint(ras.host(), ras.port()))
        .ifPresent(ras -> sources.add(new RasSource(ras, proc(), NodeAddresses.ofInterfaces())));
    what.inspector()
        .ifPresent(folder -> sources.add(new InspectorSource(folder, gpus::index, clock)));
  }

  private boolean enabled(String collector) {
    return settings.collectors().enabled(collector);
  }

  private ProcRoot proc() {
    return new ProcRoot(settings.paths().procfs());
  }

  private JobsSource jobs() {
    WorkloadSettings.JobSettings jobs = settings.workload().jobs();
    PathSettings paths = settings.paths();
    return new JobsSource(
        new JobsSource.Places(
            jobs.mapping(), paths.sysfs(), paths.procfs(), paths.rootfs(), jobs.checkpoint()),
        gpus,
        gpus,
        new KubeletSocket(jobs.podResources(), KubeletSocket.TIMEOUT),
        board,
        clock);
  }

  private TrainingSource training(SourceSet sources) {
    return new TrainingSource(
        settings.workload().steps(),
        sources,
        new ProcTrainingProcesses(proc()),
        gpus,
        peaks(),
        clock);
  }

  /** Asked anew each time: the instance metadata service may tell later what the node is. */
  private PeakFlops peaks() {
    return precision -> teraflops(node.expectation().type(), precision);
  }

  private static OptionalDouble teraflops(Optional<InstanceType> type, Precision precision) {
    OptionalInt tera =
        type.map(known -> precision == Precision.FP8 ? known.fp8Teraflops() : known.bf16Teraflops())
            .orElse(OptionalInt.empty());
    return tera.isPresent() ? OptionalDouble.of(tera.getAsInt() * TERA) : OptionalDouble.empty();
  }
}
