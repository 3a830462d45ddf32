package io.lapwing.jobs;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The processes that compute on each GPU, as the driver counts them. Thread-safe. */
public interface GpuOccupants {

  /**
   * The processes of a GPU.
   *
   * @param uuid of the GPU as a whole
   * @return empty while nobody knows: the list was not read yet, or too long ago
   */
  Optional<List<Occupant>> of(String uuid);

  /**
   * One process.
   *
   * @param pid as procfs of the host has it; 0 where the driver hides it
   * @param instance the id of the MIG GPU instance that it is in; empty without MIG, and where it
   *     is not known
   */
  record Occupant(long pid, OptionalInt instance) {}
}
