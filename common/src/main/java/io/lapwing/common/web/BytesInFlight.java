package io.lapwing.common.web;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The bytes of responses in flight by host. An array counts once, for the first host that has it,
 * and no host for more than its share.
 */
final class BytesInFlight {
  private final long share;
  private final Set<byte[]> bodies = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<RemoteHost, Long> hosts = new HashMap<>();

  BytesInFlight(long share) {
    this.share = share;
  }

  void add(RemoteHost host, byte[] body) {
    if (bodies.add(body)) {
      hosts.merge(host, (long) body.length, Long::sum);
    }
  }

  /** What counts of all hosts. */
  long total() {
    return hosts.values().stream().mapToLong(this::counted).sum();
  }

  /** What counts more with this response. */
  long more(RemoteHost host, byte[] body) {
    return bodies.contains(body) ? 0 : with(host, body) - counted(of(host));
  }

  /** Whether the host has its share at most with this response, or has nothing else. */
  boolean fitsItsHost(RemoteHost host, byte[] body) {
    return bodies.contains(body) || of(host) == 0 || of(host) + body.length <= share;
  }

  /** The host that has most, if that is more than this one has with this response. */
  Optional<RemoteHost> hostWithMoreThan(RemoteHost host, byte[] body) {
    return hosts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> counted(most.getValue()) > with(host, body))
        .map(Map.Entry::getKey);
  }

  private long with(RemoteHost host, byte[] body) {
    return counted(of(host) + body.length);
  }

  private long counted(long bytes) {
    return Math.min(share, bytes);
  }

  private long of(RemoteHost host) {
    return hosts.getOrDefault(host, 0L);
  }
}
