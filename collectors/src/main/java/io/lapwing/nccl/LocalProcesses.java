package io.lapwing.nccl;

import io.lapwing.linux.ProcFs;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which ranks of a job are here. A rank is where its host is an address of this node <em>and</em>
 * its process exists in procfs: an address may be the same on every node, as that of a bridge is,
 * and so may the number of a process. For one reply.
 */
final class LocalProcesses {

  /** Many more than there are on a node, and few enough to be looked up. */
  private static final int MOST = 1024;

  private final ProcFs proc;
  private final Set<String> addresses = new HashSet<>();
  private final Map<Integer, Optional<LocalProcess>> known = new HashMap<>();
  private String lastHost = "";
  private boolean lastIsHere;

  LocalProcesses(ProcFs proc, Set<InetAddress> addresses) {
    this.proc = proc;
    addresses.forEach(address -> this.addresses.add(HostAddress.text(address)));
  }

  /** Whether a host is this one. Ranks of one host stand next to each other. */
  boolean isHere(String host) {
    if (!host.equals(lastHost)) {
      lastIsHere = HostAddress.parse(host).filter(addresses::contains).isPresent();
      lastHost = host;
    }
    return lastIsHere;
  }

  /** A process of this host; empty where it is gone or in a PID namespace of its own. */
  Optional<LocalProcess> process(int pid) {
    Optional<LocalProcess> one = known.get(pid);
    if (one == null) {
      one = pid > 0 && known.size() < MOST ? find(proc, pid) : Optional.empty();
      if (known.size() < MOST) {
        known.put(pid, one);
      }
    }
    return one;
  }

  static Optional<LocalProcess> find(ProcFs proc, int pid) {
    return proc.startTicks(pid).toOptional().map(start -> new LocalProcess(pid, start));
  }
}
