package io.lapwing.training;

import java.util.Optional;

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

  Optional<RankGpu> byUuid(String uuid);

  Optional<RankGpu> byIndex(int index);

  /** The GPU on which a process of the host computes; empty if it uses several. */
  Optional<RankGpu> byPid(long pid);

  record RankGpu(int index, String uuid) {}
}
