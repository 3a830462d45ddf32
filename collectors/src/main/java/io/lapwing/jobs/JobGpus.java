package io.lapwing.jobs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The GPUs of this node that are known so far, and their processes. Thread-safe. */
public interface JobGpus {

  /** In no particular order. */
  List<Gpu> gpus();

  /** The compute processes of a GPU, from the driver; empty if not read yet or too old. */
  Optional<List<Occupant>> occupants(String uuid);

  /** A process with its pid in the host's procfs (0 if hidden) and its MIG GPU instance, if any. */
  record Occupant(long pid, OptionalInt instance) {}

  /**
   * A GPU by NVML's index, as dcgm-exporter and {@code SLURM_JOB_GPUS} use it, with the ids of its
   * MIG GPU instances by the UUID of their device ({@code MIG-...}), empty if unknown.
   *
   * @param minor N of {@code /dev/nvidiaN} as text; empty if unknown
   */
  record Gpu(int index, String minor, String uuid, Map<String, Integer> slices) {

    public Gpu {
      slices = Map.copyOf(slices);
    }

    public static Gpu whole(int index, String uuid) {
      return new Gpu(index, String.valueOf(index), uuid, Map.of());
    }
  }
}
