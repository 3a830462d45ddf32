package io.lapwing.jobs;

import java.util.List;
import java.util.Map;

/** The GPUs of this node that are known so far. Thread-safe. */
public interface JobGpus {

  /** In no particular order. */
  List<Gpu> gpus();

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
