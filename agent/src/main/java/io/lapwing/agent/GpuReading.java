package io.lapwing.agent;

import io.lapwing.agent.config.LabelSet;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.poll.PollClock;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.gpu.DriverSource;
import io.lapwing.gpu.GpuLabelling;
import io.lapwing.gpu.GpuOccupancy;
import io.lapwing.gpu.GpuPeerSource;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.GpuSources;
import io.lapwing.gpu.GpuSubjects;
import io.lapwing.gpu.GpuView;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.gpu.XidSource;
import io.lapwing.gpu.XidWatch;
import io.lapwing.gpu.Xids;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sources of the GPUs: their driver, which finds them, and what they have in common. */
record GpuReading(
    Settings settings,
    FieldSettings fields,
    NvmlDriver driver,
    GpuRoster roster,
    XidWatch xidWatch,
    GpuOccupancy occupancy,
    PollClock clock) {

  /**
   * The source that finds all others.
   *
   * @param sources where it starts them
   * @param xids those that were told
   * @param wanted the families that health reads, whatever a field file leaves out
   */
  Source source(SourceSet sources, Xids xids, List<Metric> wanted) {
    GpuView view = new GpuView(fields.selection().reading(wanted), labelling());
    GpuSources gpus =
        new GpuSources(
            driver,
            roster,
            view,
            clock,
            () -> GpuSubjects.of(this::enabled, settings.gpu().xidWindow(), occupancy));
    return new DriverSource(driver, roster, sources, gpus::source, companions(view, xids));
  }

  /** What there is to read of the GPUs together, where there is a driver. */
  private List<Source> companions(GpuView view, Xids xids) {
    List<Source> companions = new ArrayList<>();
    if (enabled(XidSource.COLLECTOR)) {
      companions.add(
          new XidSource(xidWatch, xids, roster, view, settings.gpu().xidWindow(), clock));
    }
    if (enabled(GpuPeerSource.COLLECTOR)) {
      companions.add(new GpuPeerSource(driver, roster, view, clock));
    }
    return companions;
  }

  private boolean enabled(String collector) {
    return settings.collectors().enabled(collector);
  }

  private GpuLabelling labelling() {
    Optional<GpuLabelling.HostnameLabel> hostname =
        settings
            .gpu()
            .hostnameLabel()
            .label()
            .map(name -> new GpuLabelling.HostnameLabel(name, settings.hostname()));
    return new GpuLabelling(settings.gpu().labels() == LabelSet.LEAN, hostname, fields.labels());
  }
}
