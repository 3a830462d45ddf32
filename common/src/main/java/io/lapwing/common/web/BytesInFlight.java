package io.lapwing.common.web;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The bytes of responses in flight by host. An array counts once, for the first host that has it,
 * and a host counts at most its share.
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

  /** The counted bytes of all hosts. */
  long total() {
    return hosts.values().stream().mapToLong(this::counted).sum();
  }

  /** The increase of the total by this response. */
  long more(RemoteHost host, byte[] body) {
    return bodies.contains(body) ? 0 : with(host, body) - counted(of(host));
  }

  /** Whether the host stays within its share with this response, or has no other. */
  boolean fitsItsHost(RemoteHost host, byte[] body) {
    return bodies.contains(body) || of(host) == 0 || of(host) + body.length <= share;
  }

  /** The host with the most bytes, if these are more than this host's with this response. */
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
