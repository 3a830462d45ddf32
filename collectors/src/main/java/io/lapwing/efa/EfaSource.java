package io.lapwing.efa;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.SourceSet;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import java.util.List;

/**
 * Discovers the EFA devices of the node, also when they appear, disappear or are renamed, starts a
 * source for each, and exports
 *
 * <pre>
 * lapwing_efa_devices 32                      of class/infiniband, those of Amazon
 * lapwing_efa_up{device="rdmap95s0"} 0        for a device that has disappeared
 * </pre>
 *
 * <p>It reads only the vendor of a device, once, which the kernel has cached; the source of the
 * device reads the rest, so that a blocked device does not affect the others.
 */
public final class EfaSource extends FixedSource {

  public static final String COLLECTOR = "efa";
  public static final String INFO_COLLECTOR = "efa_info";

  /** {@link Part#kind} of the devices. */
  public static final String KIND = "efa";

  private final SysFs sys;
  private final SourceSet sources;
  private final CounterDemand demand;
  private final EfaRoster roster;
  private volatile GpuPlaces gpus = GpuPlaces.NONE;
  private boolean seen;

  /** Discovers EFA devices and starts and stops their sources in the set. */
  public EfaSource(SysFs sys, SourceSet sources, CounterDemand demand) {
    super(KIND, Part.whole(KIND));
    this.sys = sys;
    this.sources = sources;
    this.demand = demand;
    this.roster = new EfaRoster(sys.path().resolve("class/infiniband"));
    add(COLLECTOR, Cadence.MEDIUM, this::devices);
    add(INFO_COLLECTOR, Cadence.SLOW, this::findGpus);
  }

  @Override
  public Access begin(List<Collector> due) {
    Reading<EfaRoster.Change> change = roster.poll();
    if (change instanceof Reading.Failed<EfaRoster.Change> failed) {
      return new Access.Down(
          failed.reason(), "class/infiniband cannot be read: " + failed.reason());
    }
    change.toOptional().ifPresent(this::apply);
    // After the driver is unloaded the devices are gone, not absent.
    return seen || !roster.unclear().isEmpty()
        ? Access.READY
        : new Access.NothingHere("no EFA device in class/infiniband");
  }

  private void apply(EfaRoster.Change change) {
    change.removed().forEach(device -> sources.remove(EfaDeviceSource.name(device.name())));
    if (!change.added().isEmpty()) {
      seen = true;
      gpus = GpuPlaces.read(sys);
    }
    change
        .added()
        .forEach(device -> sources.add(new EfaDeviceSource(sys, device, () -> gpus, demand)));
  }

  private void devices(SampleSink sink) {
    sink.add(EfaMetrics.DEVICES, Labels.NONE, roster.devices().size());
    roster.lost().forEach(device -> sink.add(EfaMetrics.UP, device.labels(), 0));
    roster.unclear().forEach(sink::countFailure);
  }

  /** Re-reads the GPUs that the sources of the devices export: one may have appeared late. */
  private void findGpus(SampleSink sink) {
    GpuPlaces now = GpuPlaces.read(sys);
    if (!now.equals(gpus)) {
      gpus = now; // Otherwise the same object, which is quick to compare.
    }
  }
}
