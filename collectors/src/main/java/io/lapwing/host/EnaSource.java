package io.lapwing.host;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.ethtool.Ethtool;
import io.lapwing.linux.Folder;
import io.lapwing.linux.KernelNumber;
import io.lapwing.linux.SmallFile;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The ordinary network of an EC2 instance: its traffic, its allowances, and packets beyond them, as
 * a source. The ENA driver asks the device for the allowances.
 *
 * <pre>
 * lapwing_ena_receive_bytes_total{device="eth0"} 9.1e+12                               statistics/rx_bytes in sysfs
 * lapwing_ena_transmit_bytes_total{device="eth0"} 8.8e+12                              statistics/tx_bytes in sysfs
 * lapwing_ena_allowance_exceeded_packets_total{device="eth0",allowance="bw_in"} 1204   bw_in_allowance_exceeded
 * lapwing_ena_conntrack_allowance_available{device="eth0"} 136812                      conntrack_allowance_available
 * </pre>
 */
public final class EnaSource extends FixedSource {

  /** The kind of this part of the node, and the name of the source and of its collector. */
  public static final String ENA = "ena";

  private static final int MAX_DEVICES = 64;
  private static final String EXCEEDED = "_allowance_exceeded";
  private static final String AVAILABLE = "conntrack_allowance_available";
  private static final Access NOT_THERE =
      new Access.NothingHere("no network device has the driver ena");

  private final Path folder;
  private final Ethtool.Statistics statistics;
  private final Map<List<String>, Labels> labels = new HashMap<>();
  private List<String> devices = List.of();

  public EnaSource(SysFs sys, Ethtool.Statistics statistics) {
    super(ENA, Part.whole(ENA));
    add(ENA, Cadence.SLOW, this::collect);
    this.folder = sys.path().resolve("class/net");
    this.statistics = statistics;
  }

  /** The kernel's; in the sysfs of a simulated node, those of a file beside the device. */
  public static Ethtool.Statistics statistics(SysFs sys) {
    Ethtool kernel = new Ethtool();
    return device -> {
      Path file = sys.path().resolve("class/net").resolve(device).resolve("ethtool_statistics");
      Reading<String> simulated = SmallFile.text(file);
      return simulated instanceof Reading.Missing
          ? kernel.statistics(device)
          : simulated.map(EnaSource::parse);
    };
  }

  /** {@code bw_in_allowance_exceeded: 1204} a line, as {@code ethtool -S} prints it. */
  private static Map<String, Long> parse(String text) {
    Map<String, Long> found = new LinkedHashMap<>();
    for (String line : text.split("\n", -1)) {
      String[] halves = line.split(":", 2);
      OptionalDouble value =
          halves.length == 2 ? KernelNumber.unsigned(halves[1].strip()) : OptionalDouble.empty();
      value.ifPresent(number -> found.put(halves[0].strip(), (long) number));
    }
    return found;
  }

  @Override
  public Access begin(List<Collector> due) {
    devices =
        Folder.of(folder, this::isEna, MAX_DEVICES)
            .toOptional()
            .map(Folder::names)
            .orElse(List.of());
    return devices.isEmpty() ? NOT_THERE : Access.READY;
  }

  private boolean isEna(String device) {
    try {
      Path driver = Files.readSymbolicLink(folder.resolve(device).resolve("device/driver"));
      return driver.endsWith("ena");
    } catch (IOException none) {
      return false; // A virtual device.
    }
  }

  private void collect(SampleSink sink) {
    for (String device : devices) {
      bytes(device, "rx_bytes", HostMetrics.ENA_RECEIVED, sink);
      bytes(device, "tx_bytes", HostMetrics.ENA_TRANSMITTED, sink);
      Reading<Map<String, Long>> found = statistics.of(device);
      sink.countFailure(found);
      found.toOptional().orElse(Map.of()).forEach((name, value) -> put(device, name, value, sink));
    }
  }

  private void bytes(String device, String file, Metric metric, SampleSink sink) {
    Reading<String> text = SmallFile.text(folder.resolve(device).resolve("statistics/" + file));
    sink.countFailure(text);
    text.toOptional()
        .map(KernelNumber::unsigned)
        .ifPresent(number -> number.ifPresent(value -> sink.add(metric, ofDevice(device), value)));
  }

  private Labels ofDevice(String device) {
    return labels.computeIfAbsent(List.of(device), unseen -> Labels.of("device", device));
  }

  private void put(String device, String name, long value, SampleSink sink) {
    if (name.endsWith(EXCEEDED)) {
      String allowance = name.substring(0, name.length() - EXCEEDED.length());
      Labels own =
          labels.computeIfAbsent(
              List.of(device, allowance),
              unseen -> Labels.of("device", device, "allowance", allowance));
      sink.add(HostMetrics.ENA_EXCEEDED, own, (double) value);
    } else if (name.equals(AVAILABLE)) {
      sink.add(HostMetrics.ENA_CONNTRACK_AVAILABLE, ofDevice(device), (double) value);
    }
  }
}
