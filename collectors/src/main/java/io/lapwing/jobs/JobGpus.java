package io.lapwing.jobs;

import java.util.List;
import java.util.Map;

/** The GPUs of this node, as far as they are known by now. Thread-safe. */
public interface JobGpus {

  /** Those that there are, in no certain order. */
  List<Gpu> gpus();

  /**
   * One GPU.
   *
   * @param index NVML's, which is the number that dcgm-exporter and Slurm's {@code SLURM_JOB_GPUS}
   *     call it by
   * @param uuid such as {@code GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52}
   * @param slices the ids of its MIG GPU instances by the UUID of the device in them ({@code
   *     MIG-...}); none where they are not known
   */
  record Gpu(int index, String uuid, Map<String, Integer> slices) {

    public Gpu {
      slices = Map.copyOf(slices);
    }

    /** A GPU of whose slices nothing is known. */
    public static Gpu whole(int index, String uuid) {
      return new Gpu(index, uuid, Map.of());
    }
  }
}
