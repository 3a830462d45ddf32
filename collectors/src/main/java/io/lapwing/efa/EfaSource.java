package io.lapwing.efa;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import java.util.List;
import java.util.Optional;

/**
 * The EFA devices of the node together. It follows those that come, go and are renamed, starts a
 * source for each, and shows
 *
 * <pre>
 * lapwing_efa_devices 32                      of class/infiniband, those of Amazon
 * lapwing_efa_up{device="rdmap95s0"} 0        for a device that was there once and is gone
 * </pre>
 *
 * <p>Of a device it reads its vendor, once, which the kernel has at hand; all else is left to the
 * source of the device, so that one that blocks keeps nobody from seeing the others.
 */
public final class EfaSource implements Source {

  public static final String COLLECTOR = "efa";
  public static final String INFO_COLLECTOR = "efa_info";

  /** What the devices are parts of: {@link Part#kind}. */
  public static final String KIND = "efa";

  private final SysFs sys;
  private final SourceSet sources;
  private final EfaRoster roster;
  private final List<Collector> collectors = List.of(new Devices(), new Neighbours());
  private final Optional<Part> part = Optional.of(Part.whole(KIND));
  private volatile GpuPlaces gpus = GpuPlaces.NONE;
  private boolean seen;

  /**
   * The source of what EFA devices there are.
   *
   * @param sources where the devices' sources are started and stopped
   */
  public EfaSource(SysFs sys, SourceSet sources) {
    this.sys = sys;
    this.sources = sources;
    this.roster = new EfaRoster(sys.path().resolve("class/infiniband"));
  }

  @Override
  public String name() {
    return KIND;
  }

  @Override
  public Optional<Part> part() {
    return part;
  }

  @Override
  public List<Collector> collectors() {
    return collectors;
  }

  @Override
  public Access begin(List<Collector> due) {
    Reading<EfaRoster.Change> change = roster.look();
    if (change instanceof Reading.Failed<EfaRoster.Change> failed) {
      return new Access.Down(
          failed.reason(), "class/infiniband cannot be read: " + failed.reason());
    }
    change.toOptional().ifPresent(this::follow);
    // A driver that was unloaded leaves nothing there, and then the devices are gone.
    return seen || !roster.unclear().isEmpty()
        ? Access.READY
        : new Access.NothingHere("no EFA device in class/infiniband");
  }

  private void follow(EfaRoster.Change change) {
    change.gone().forEach(device -> sources.remove(EfaDeviceSource.name(device.name())));
    if (!change.came().isEmpty()) {
      seen = true;
      gpus = GpuPlaces.look(sys);
    }
    change.came().forEach(device -> sources.add(new EfaDeviceSource(sys, device, () -> gpus)));
  }

  private final class Devices implements Collector {

    @Override
    public String name() {
      return COLLECTOR;
    }

    @Override
    public Cadence cadence() {
      return Cadence.MEDIUM;
    }

    @Override
    public void collect(SampleSink sink) {
      sink.add(EfaMetrics.DEVICES, Labels.NONE, roster.devices().size());
      roster.lost().forEach(device -> sink.add(EfaMetrics.UP, device.labels(), 0));
      roster.unclear().forEach(failed -> sink.failed(failed.question(), failed.reason()));
    }
  }

  /** Looks where the GPUs are, of which the devices' own sources tell: one may have come late. */
  private final class Neighbours implements Collector {

    @Override
    public String name() {
      return INFO_COLLECTOR;
    }

    @Override
    public Cadence cadence() {
      return Cadence.SLOW;
    }

    @Override
    public void collect(SampleSink sink) {
      gpus = GpuPlaces.look(sys);
    }
  }
}
