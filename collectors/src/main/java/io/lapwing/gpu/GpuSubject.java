package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.FieldKey;
import java.util.List;

/**
 * One subject of one GPU: temperatures, ECC, NVLink ... The fields it names are read together with
 * those of all other subjects that are due, in one call; what has no field id it reads itself. It
 * may keep what it saw the last time.
 */
public interface GpuSubject {

  /** The collector's name. */
  String name();

  /** A few words for the command line's help. */
  String about();

  Cadence cadence();

  /** The fields wanted in each round; always the same. */
  default List<FieldKey> fields() {
    return List.of();
  }

  void collect(GpuRound round);
}
