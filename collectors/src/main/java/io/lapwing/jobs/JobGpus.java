package io.lapwing.jobs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The GPUs of this node that are known so far, and their processes. Thread-safe. */
public interface JobGpus {

  /** In no particular order. */
  List<Gpu> gpus();

  /** The compute processes of a GPU, from the driver; empty if not read yet or too old. */
  Optional<List<Occupant>> occupants(String uuid);

  /**
   * A process on a GPU.
   *
   * @param pid in the host's procfs, 0 if hidden
   * @param instance its MIG GPU instance, if any
   * @param memory its bytes on the GPU; empty if the driver does not tell
   * @param mpsClient whether it is a client of the Multi-Process Service; empty if unknown
   * @param smUtilization share of the time in which it had a kernel on the GPU; empty if unknown
   */
  record Occupant(
      long pid,
      OptionalInt instance,
      OptionalLong memory,
      Optional<Boolean> mpsClient,
      OptionalDouble smUtilization) {

    /** Without further information. */
    public static Occupant of(long pid, OptionalInt instance) {
      return new Occupant(
          pid, instance, OptionalLong.empty(), Optional.empty(), OptionalDouble.empty());
    }
  }

  /**
   * A GPU by NVML's index, as dcgm-exporter and {@code SLURM_JOB_GPUS} use it, with the ids of its
   * MIG GPU instances by the UUID of their device ({@code MIG-...}), empty if unknown.
   *
   * @param minor N of {@code /dev/nvidiaN} as text; empty if unknown
   * @param instances its MIG GPU instances
   */
  record Gpu(
      int index, String minor, String uuid, Map<String, Integer> slices, List<Instance> instances) {

    public Gpu {
      slices = Map.copyOf(slices);
      instances = List.copyOf(instances);
    }

    public Gpu(int index, String minor, String uuid, Map<String, Integer> slices) {
      this(index, minor, uuid, slices, List.of());
    }

    /** Whether a MIG GPU instance of it has this id, as far as is known. */
    boolean mayHave(int instance) {
      return (slices.isEmpty() && instances.isEmpty())
          || slices.containsValue(instance)
          || instances.stream().anyMatch(one -> one.id() == instance);
    }

    public static Gpu whole(int index, String uuid) {
      return new Gpu(index, String.valueOf(index), uuid, Map.of());
    }
  }

  /**
   * A MIG GPU instance.
   *
   * @param profile {@code 1g.10gb}; empty if unknown
   * @param start of its placement in slices of memory; empty without permission to read it
   */
  record Instance(int id, String profile, OptionalInt start) {}
}
