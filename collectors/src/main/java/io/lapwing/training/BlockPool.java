package io.lapwing.training;

import java.util.concurrent.ConcurrentLinkedQueue;

/** The blocks that are read into: as many as there are ranks read at one time, mostly one. */
final class BlockPool {

  private final ConcurrentLinkedQueue<RecordBlock> free = new ConcurrentLinkedQueue<>();

  RecordBlock take() {
    RecordBlock block = free.poll();
    return block == null ? new RecordBlock() : block;
  }

  void giveBack(RecordBlock block) {
    free.add(block);
  }
}
