package io.lapwing.node;

import java.util.Map;
import java.util.function.Supplier;

/**
 * What is known of the node at the moment: from the first on what the operator and the firmware
 * say, and what the instance metadata service adds once it answers. The same object until something
 * is added. Read by anybody, written by one thread.
 */
public final class Identification implements Supplier<NodeIdentity> {

  private final NodeIdentity first;
  private volatile NodeIdentity now;

  public Identification(NodeIdentity first) {
    this.first = first;
    this.now = first;
  }

  @Override
  public NodeIdentity get() {
    return now;
  }

  /** All that the instance metadata service has told so far. */
  void hear(Map<ImdsItem, String> told) {
    now = first.with(told);
  }
}
