package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One subject of one GPU: temperatures, ECC, NVLink ... All due fields are read together; values
 * without a field id it reads itself. It may keep state between rounds.
 */
public abstract class GpuSubject {

  private final String name;
  private final String about;
  private final Cadence cadence;
  private final List<FieldKey> fields;

  GpuSubject(String name, String about, Cadence cadence, List<FieldKey> fields) {
    this.name = name;
    this.about = about;
    this.cadence = cadence;
    this.fields = List.copyOf(fields);
  }

  static GpuSubject of(
      String name,
      String about,
      Cadence cadence,
      List<FieldKey> fields,
      Consumer<GpuRound> collector) {
    return new GpuSubject(name, about, cadence, fields) {
      @Override
      void collect(GpuRound round) {
        collector.accept(round);
      }
    };
  }

  static GpuSubject of(
      String name,
      String about,
      Cadence cadence,
      Consumer<GpuRound> collector,
      NvmlField... fields) {
    return of(name, about, cadence, Stream.of(fields).map(NvmlField::whole).toList(), collector);
  }

  static GpuSubject of(String name, String about, Cadence cadence, PlainFields... plain) {
    return of(
        name,
        about,
        cadence,
        Stream.of(plain).flatMap(fields -> fields.keys().stream()).distinct().toList(),
        round -> {
          for (PlainFields fields : plain) {
            fields.put(round);
          }
        });
  }

  public String name() {
    return name;
  }

  public String about() {
    return about;
  }

  Cadence cadence() {
    return cadence;
  }

  List<FieldKey> fields() {
    return fields;
  }

  abstract void collect(GpuRound round);

  /** The source has another GPU from now on: drops the state of the former one. */
  void forget() {}

  /** Fields that are exposed unchanged, each as a metric. */
  static final class PlainFields {

    private final List<NvmlField> fields;
    private final List<Metric> metrics;
    private final List<FieldKey> keys;

    PlainFields(Map<NvmlField, Metric> byField) {
      Map<NvmlField, Metric> inOrder = new EnumMap<>(byField);
      this.fields = List.copyOf(inOrder.keySet());
      this.metrics = List.copyOf(inOrder.values());
      this.keys = fields.stream().map(NvmlField::whole).toList();
    }

    List<FieldKey> keys() {
      return keys;
    }

    void put(GpuRound round) {
      for (int i = 0; i < fields.size(); i++) {
        round.put(metrics.get(i), fields.get(i));
      }
    }
  }
}
