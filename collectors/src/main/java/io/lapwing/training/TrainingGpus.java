package io.lapwing.training;

import java.util.Optional;

/** The GPUs of this node, as far as they are known now. Asked by several threads. */
public interface TrainingGpus {

  /** Of a node of which nobody knows. */
  TrainingGpus UNKNOWN =
      new TrainingGpus() {
        @Override
        public Optional<TrainingGpu> byUuid(String uuid) {
          return Optional.empty();
        }

        @Override
        public Optional<TrainingGpu> byIndex(int index) {
          return Optional.empty();
        }

        @Override
        public Optional<TrainingGpu> byPid(long pid) {
          return Optional.empty();
        }
      };

  Optional<TrainingGpu> byUuid(String uuid);

  /** By the index that NVML gives it. */
  Optional<TrainingGpu> byIndex(int index);

  /** The GPU on which a process of this machine computes; empty where it computes on several. */
  Optional<TrainingGpu> byPid(long pid);
}
