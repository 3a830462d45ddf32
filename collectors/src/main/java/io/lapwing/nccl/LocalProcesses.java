package io.lapwing.nccl;

import io.lapwing.linux.KernelFile;
import io.lapwing.linux.ProcRoot;
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

  /** Fields of {@code stat} behind the name of the program up to the start. */
  private static final int START = 19;

  private final ProcRoot proc;
  private final Set<String> addresses = new HashSet<>();
  private final Map<Integer, Optional<LocalProcess>> known = new HashMap<>();
  private String lastHost = "";
  private boolean lastIsHere;

  LocalProcesses(ProcRoot proc, Set<InetAddress> addresses) {
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

  static Optional<LocalProcess> find(ProcRoot proc, int pid) {
    return KernelFile.text(proc.path().resolve(pid + "/stat"))
        .toOptional()
        .flatMap(stat -> start(stat))
        .map(start -> new LocalProcess(pid, start));
  }

  /** The name of the program may hold anything, a bracket and spaces too. */
  private static Optional<Long> start(String stat) {
    int name = stat.lastIndexOf(") ");
    String[] fields = name < 0 ? new String[0] : stat.substring(name + 2).split(" ", START + 2);
    return fields.length > START && fields[START].matches("\\d{1,18}")
        ? Optional.of(Long.parseLong(fields[START]))
        : Optional.empty();
  }
}
