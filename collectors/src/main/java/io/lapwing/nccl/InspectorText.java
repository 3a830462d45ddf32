package io.lapwing.nccl;

import io.lapwing.collect.SampleSink;
import io.lapwing.exposition.ExposedSample;
import io.lapwing.exposition.ExpositionText;
import io.lapwing.exposition.KnownSeries;
import io.lapwing.exposition.SampleNames;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The lines of one GPU's file, as of its last complete version.
 *
 * <pre>
 * nccl_bus_bandwidth_gbs{version="v5.1",slurm_job_id="17",node="n1",gpu="GPU0",
 *   comm_name="DP Group 0",n_nodes="1",nranks="4",collective="AllReduce",
 *   message_size="4-5GB",algo_proto="Ring_ll"} 678.263
 * </pre>
 */
final class InspectorText {

  /** Message sizes x algorithms x communicators of one GPU; the rest is dropped. */
  static final int MAX_SERIES = 256;

  private static final int LONGEST_LABEL = 48;
  private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,31}");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final Pattern SIZE = Pattern.compile("\\d{1,4}B|\\d{1,4}-\\d{1,4}[KMGT]?B");

  /** The family and base unit of a name in the file. */
  private record Family(Metric metric, double unit, String operation, boolean collective) {}

  private static final String COLLECTIVE = "collective";
  private static final String P2P = "p2p_operation";

  private static final Map<String, Family> FAMILIES =
      Map.of(
          "nccl_bus_bandwidth_gbs",
          new Family(InspectorMetrics.BUS_BANDWIDTH, 1e9, COLLECTIVE, true),
          "nccl_collective_exec_time_microseconds",
          new Family(InspectorMetrics.COLLECTIVE_DURATION, 1e-6, COLLECTIVE, true),
          "nccl_p2p_bus_bandwidth_gbs",
          new Family(InspectorMetrics.P2P_BUS_BANDWIDTH, 1e9, P2P, false),
          "nccl_p2p_exec_time_microseconds",
          new Family(InspectorMetrics.P2P_DURATION, 1e-6, P2P, false));

  private static final ExpositionText.Limits LIMITS =
      new ExpositionText.Limits(CompleteFile.MAX_BYTES, 20_000, 4 << 10, 32, 1 << 10);

  /** An exposed series. Lines that differ only in dropped labels share one. */
  private static final class Shown {
    private final Metric metric;
    private final Labels labels;
    private double value;
    private long reading;

    Shown(Metric metric, Labels labels) {
      this.metric = metric;
      this.labels = labels;
    }
  }

  private final Labels gpu;
  private final ExpositionText text = new ExpositionText(SampleNames.of(FAMILIES.keySet()), LIMITS);
  private final KnownSeries<Optional<Shown>> known = new KnownSeries<>(256 << 10);
  private final Map<Metric, Map<Labels, Shown>> made = new HashMap<>();
  private final List<Shown> exposed = new ArrayList<>();
  private long reading;
  private int dropped;

  InspectorText(Labels gpu) {
    this.gpu = gpu;
  }

  Labels gpu() {
    return gpu;
  }

  void read(byte[] file) {
    reading++;
    dropped = 0;
    exposed.clear();
    if (made.values().stream().mapToInt(Map::size).sum() > 4 * MAX_SERIES) {
      made.clear();
      known.clear();
    }
    try {
      text.read(new ByteArrayInputStream(file), this::take);
    } catch (IOException impossible) {
      throw new IllegalStateException("reads from memory", impossible);
    }
  }

  /** Of several lines of one series the last wins: Inspector may append between two windows. */
  private void take(ExposedSample sample) {
    if (!Double.isFinite(sample.value()) || sample.value() <= 0) {
      return;
    }
    Optional<Shown> series = known.of(sample, this::make);
    if (series.isEmpty()) {
      return;
    }
    Shown one = series.get();
    if (one.reading != reading) {
      if (exposed.size() == MAX_SERIES) {
        dropped++;
        return;
      }
      one.reading = reading;
      exposed.add(one);
    }
    Family family = FAMILIES.get(sample.name());
    one.value = family == null ? one.value : sample.value() * family.unit();
  }

  private Optional<Shown> make(ExposedSample sample) {
    Family family = FAMILIES.get(sample.name());
    return family == null
        ? Optional.empty()
        : labels(sample, family).map(labels -> exposed(family.metric(), labels));
  }

  private Shown exposed(Metric metric, Labels labels) {
    Map<Labels, Shown> ofFamily = made.computeIfAbsent(metric, unseen -> new HashMap<>());
    return ofFamily.computeIfAbsent(labels, unseen -> new Shown(metric, unseen));
  }

  private Optional<Labels> labels(ExposedSample sample, Family family) {
    String operation = label(sample, family.operation());
    String size = label(sample, "message_size");
    String ranks = label(sample, "nranks");
    String nodes = label(sample, "n_nodes");
    if (!WORD.matcher(operation).matches()
        || !SIZE.matcher(size).matches()
        || !NUMBER.matcher(ranks).matches()
        || !NUMBER.matcher(nodes).matches()) {
      return Optional.empty();
    }
    Labels labels =
        gpu.with("comm_name", label(sample, "comm_name"))
            .with("ranks", ranks)
            .with("nodes", nodes)
            .with("operation", operation)
            .with("message_size", size);
    return Optional.of(
        family.collective() ? labels.with("algorithm", label(sample, "algo_proto")) : labels);
  }

  /** A bounded value without control characters. */
  private static String label(ExposedSample sample, String name) {
    String value = sample.label(name);
    String clean = value == null ? "" : value.replaceAll("[\\p{C}\\p{Z}&&[^ ]]", "");
    return clean.length() > LONGEST_LABEL ? clean.substring(0, LONGEST_LABEL) : clean;
  }

  int dropped() {
    return dropped;
  }

  void put(SampleSink sink) {
    exposed.forEach(one -> sink.add(one.metric, one.labels, one.value));
  }
}
