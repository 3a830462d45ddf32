package io.lapwing.efa;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Series;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One EFA device as a source; the files are below {@code class/infiniband/rdmap79s0}.
 *
 * <pre>
 * lapwing_efa_up{device="rdmap79s0"} 1
 * node_amazonefa_info{device="rdmap79s0"} 1
 * lapwing_efa_submitted_commands_total{device="rdmap79s0"} 4711     hw_counters, 14 of them
 * node_amazonefa_tx_bytes{device="rdmap79s0",port="1"} 123456       ports/1/hw_counters, 22 of them
 *
 * lapwing_efa_info{device="rdmap79s0",pci_address="0000:4f:00.0",...} 1
 * lapwing_efa_rate_bytes_per_second{device="rdmap79s0",port="1"} 12500000000     ports/1/rate
 * </pre>
 *
 * <p>A device without {@code hw_counters} is up, and the missing folder is counted as a failure. A
 * device with counters of which none can be read is down.
 */
final class EfaDeviceSource extends FixedSource {

  /**
   * For how many runs the facts of a device are kept. They change with a new driver, which makes a
   * new device, or by root; 32 devices have 256 files of them.
   */
  static final int FACTS_KEPT = 5;

  private final SysFs sys;
  private final EfaDevice device;
  private final GpuPlaces.Nearest nearest;
  private final EfaCounters counters;
  private final Optional<Series> up;
  private @Nullable EfaFacts facts;
  private int factsLeft;
  private Labels labels = Labels.NONE;
  private OptionalDouble rate = OptionalDouble.empty();

  EfaDeviceSource(SysFs sys, EfaDevice device, Supplier<GpuPlaces> gpus, CounterDemand demand) {
    super(
        name(device.name()),
        EfaSource.KIND,
        FILES,
        new Part(EfaSource.KIND, device.name(), device.labels()));
    this.sys = sys;
    this.device = device;
    this.nearest = new GpuPlaces.Nearest(device.pci(), gpus);
    this.counters = new EfaCounters(device, demand);
    this.up = Optional.of(new Series(EfaMetrics.UP, device.labels()));
    add(EfaSource.COLLECTOR, Cadence.MEDIUM, this::counters);
    add(EfaSource.INFO_COLLECTOR, Cadence.SLOW, this::info);
  }

  static String name(String device) {
    return "efa-" + device;
  }

  @Override
  public Optional<Series> up() {
    return up;
  }

  @Override
  public Access begin(List<Collector> due) {
    return counters.read().<Access>map(this::down).orElse(Access.READY);
  }

  private Access down(String reason) {
    return new Access.Down(reason, "no counter of " + device.name() + " can be read: " + reason);
  }

  @Override
  public void close() {
    counters.close();
  }

  private void counters(SampleSink sink) {
    sink.add(EfaMetrics.FOREIGN_INFO, device.labels(), 1);
    counters.put(sink);
  }

  private void info(SampleSink sink) {
    EfaFacts known = facts;
    EfaFacts now;
    if (known == null || factsLeft == 0) {
      counters.discover();
      EfaFacts.Found found = EfaFacts.read(sys, device, nearest::of, sink);
      factsLeft = found.complete() ? FACTS_KEPT : 1;
      now = found.facts();
    } else {
      now = known.with(nearest.of(known.numaNode()));
    }
    factsLeft--;
    if (!now.equals(facts)) {
      facts = now;
      labels = now.labels(device);
      rate = PortRate.parse(now.rate());
    }
    sink.add(EfaMetrics.INFO, labels, 1);
    if (rate.isPresent()) {
      sink.add(EfaMetrics.RATE, counters.ofPort(), rate.getAsDouble());
    } else if (!now.rate().isEmpty()) {
      sink.failed(device.file("ports/1/rate").toString(), "malformed");
    }
  }

  /** The speed of a port in the kernel's format: {@code 100 Gb/sec (4X EDR)}. */
  static final class PortRate {

    private static final Pattern FORM = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?) Gb/sec\\b.*");
    private static final double BYTES_PER_GIGABIT = 1e9 / 8;

    private PortRate() {}

    /** In bytes per second; empty for any other text. */
    static OptionalDouble parse(String text) {
      Matcher form = FORM.matcher(text);
      return form.matches()
          ? OptionalDouble.of(Double.parseDouble(form.group(1)) * BYTES_PER_GIGABIT)
          : OptionalDouble.empty();
    }
  }
}
