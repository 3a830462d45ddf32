package io.lapwing.training;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The GPUs of this node that are known so far. Thread-safe. */
public interface TrainingGpus {

  /** Of an unknown node. */
  TrainingGpus UNKNOWN =
      new TrainingGpus() {
        @Override
        public int count() {
          return 0;
        }

        @Override
        public Optional<RankGpu> byUuid(String uuid) {
          return Optional.empty();
        }

        @Override
        public Optional<RankGpu> byIndex(int index) {
          return Optional.empty();
        }

        @Override
        public Optional<RankGpu> byPid(long pid) {
          return Optional.empty();
        }
      };

  /** How many there are. */
  int count();

  /** By the UUID of a GPU or of a MIG device; the share of a divided GPU is unknown. */
  Optional<RankGpu> byUuid(String uuid);

  /** The share of a divided GPU is unknown. */
  Optional<RankGpu> byIndex(int index);

  /** The GPU on which a process of the host computes; empty if it uses several. */
  Optional<RankGpu> byPid(long pid);

  /** The share of an unknown GPU that a rank can use; empty if a GPU is divided by MIG. */
  default OptionalDouble share() {
    return OptionalDouble.of(1);
  }

  /**
   * The GPU of a rank.
   *
   * @param instance the id of its MIG instance; empty for a whole GPU, and while unknown
   * @param share that the rank can use: 1, or the slices of its MIG instance over those of the GPU;
   *     empty while these are unknown
   */
  record RankGpu(int index, String uuid, OptionalInt instance, OptionalDouble share) {

    /** A whole GPU. */
    public RankGpu(int index, String uuid) {
      this(index, uuid, OptionalInt.empty(), OptionalDouble.of(1));
    }
  }
}
