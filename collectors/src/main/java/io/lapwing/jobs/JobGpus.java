package io.lapwing.jobs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The GPUs of this node that are known so far, and their processes. Thread-safe. */
public interface JobGpus {

  /** In no particular order. */
  List<Gpu> gpus();

  /**
   * The compute processes of a GPU, as the driver reports them.
   *
   * @param uuid of the whole GPU
   * @return empty if unknown: not read yet, or too long ago
   */
  Optional<List<Occupant>> occupants(String uuid);

  /**
   * A process.
   *
   * @param pid in the host's procfs; 0 if the driver hides it
   * @param instance the id of its MIG GPU instance; empty without MIG and if unknown
   */
  record Occupant(long pid, OptionalInt instance) {}

  /**
   * A GPU.
   *
   * @param index NVML's, which dcgm-exporter and Slurm's {@code SLURM_JOB_GPUS} use too
   * @param uuid such as {@code GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52}
   * @param slices the ids of its MIG GPU instances by the UUID of their device ({@code MIG-...});
   *     empty if unknown
   */
  record Gpu(int index, String uuid, Map<String, Integer> slices) {

    public Gpu {
      slices = Map.copyOf(slices);
    }

    /** A GPU without known slices. */
    public static Gpu whole(int index, String uuid) {
      return new Gpu(index, uuid, Map.of());
    }
  }
}
