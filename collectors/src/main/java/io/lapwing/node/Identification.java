package io.lapwing.node;

import java.util.Map;
import java.util.function.Supplier;

/**
 * The current identity of the node, completed when the instance metadata service replies. The same
 * object until something is added. Read by any thread, written by one.
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

  /** Adds all that the instance metadata service has returned so far. */
  void update(Map<Imds.ImdsItem, String> items) {
    now = first.with(items);
  }
}
