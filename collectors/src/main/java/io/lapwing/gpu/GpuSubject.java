package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import java.util.List;
import java.util.stream.Stream;

/**
 * One subject of one GPU: temperatures, ECC, NVLink ... Its fields are read in one batch with those
 * of all other subjects that are due; values without a field id it reads itself. It may keep state
 * between rounds.
 */
public abstract class GpuSubject {

  private final String name;
  private final String about;
  private final Cadence cadence;
  private final List<FieldKey> fields;

  /**
   * A subject.
   *
   * @param name of the collector
   * @param about a few words for the command line's help
   * @param fields to read in each round
   */
  GpuSubject(String name, String about, Cadence cadence, List<FieldKey> fields) {
    this.name = name;
    this.about = about;
    this.cadence = cadence;
    this.fields = List.copyOf(fields);
  }

  GpuSubject(String name, String about, Cadence cadence, NvmlField... fields) {
    this(name, about, cadence, Stream.of(fields).map(NvmlField::whole).toList());
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
}
