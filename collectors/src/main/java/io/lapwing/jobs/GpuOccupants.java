package io.lapwing.jobs;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The compute processes of each GPU, as the driver reports them. Thread-safe. */
public interface GpuOccupants {

  /**
   * The processes of a GPU.
   *
   * @param uuid of the whole GPU
   * @return empty if unknown: not read yet, or too long ago
   */
  Optional<List<Occupant>> of(String uuid);

  /**
   * A process.
   *
   * @param pid in the host's procfs; 0 if the driver hides it
   * @param instance the id of its MIG GPU instance; empty without MIG and if unknown
   */
  record Occupant(long pid, OptionalInt instance) {}
}
