package io.lapwing.nccl;

import io.lapwing.linux.ProcFs;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds the ranks of a job on this node: the host must be an address of this node <em>and</em> the
 * process must exist in procfs, since bridges have the same address on every node, and pids repeat
 * across nodes. Valid for one reply.
 */
final class LocalProcesses {

  /** Far more than a node has, and few enough to look up. */
  private static final int MAX_PIDS = 1024;

  private final ProcFs proc;
  private final Set<Long> owners;
  private final Set<String> addresses = new HashSet<>();
  private final Map<Integer, Optional<LocalProcess>> known = new HashMap<>();
  private String lastHost = "";
  private boolean lastIsHere;

  /**
   * The processes of these users only: a program that took the port of RAS may name any process.
   *
   * @param owners the uids that listen on the port; empty if unknown, or if root does
   */
  LocalProcesses(ProcFs proc, Set<InetAddress> addresses, Set<Long> owners) {
    this.proc = proc;
    this.owners = owners.contains(0L) ? Set.of() : Set.copyOf(owners);
    addresses.forEach(address -> this.addresses.add(HostAddress.text(address)));
  }

  /** Whether a host is this node. Caches the last host, as ranks of one host are adjacent. */
  boolean isHere(String host) {
    if (!host.equals(lastHost)) {
      lastIsHere = HostAddress.parse(host).filter(addresses::contains).isPresent();
      lastHost = host;
    }
    return lastIsHere;
  }

  /**
   * A process of this host; empty if it has exited, is in a PID namespace of its own, or is another
   * user's than the service.
   */
  Optional<LocalProcess> process(int pid) {
    Optional<LocalProcess> one = known.get(pid);
    if (one == null) {
      one =
          pid > 0 && known.size() < MAX_PIDS
              ? find(proc, pid).filter(this::isOwned)
              : Optional.empty();
      if (known.size() < MAX_PIDS) {
        known.put(pid, one);
      }
    }
    return one;
  }

  private boolean isOwned(LocalProcess process) {
    return owners.isEmpty()
        || proc.uid(process.pid()).toOptional().filter(owners::contains).isPresent();
  }

  static Optional<LocalProcess> find(ProcFs proc, int pid) {
    return proc.startTicks(pid).toOptional().map(start -> new LocalProcess(pid, start));
  }

  /**
   * A process of this node; its start in ticks since boot (field 22 of {@code <pid>/stat})
   * distinguishes it from a later one with the same pid.
   */
  record LocalProcess(int pid, long start) {}

  /** Numeric addresses in RAS replies. Must never cause a DNS query, whatever a reply contains. */
  static final class HostAddress {

    private static final int LONGEST = 64;
    private static final Pattern V4 =
        Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

    /** Requires a colon, so that the JDK parses it as a literal or rejects it. */
    private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:][0-9a-fA-F.]*:[0-9a-fA-F:.]*");

    private HostAddress() {}

    /** The address as the JDK formats it, without the scope. */
    static Optional<String> parse(String text) {
      if (text.length() > LONGEST) {
        return Optional.empty();
      }
      int scope = text.indexOf('%');
      String plain = scope < 0 ? text : text.substring(0, scope);
      if (V4.matcher(plain).matches()) {
        return Optional.of(plain);
      }
      return V6.matcher(plain).matches() ? literal(plain) : Optional.empty();
    }

    private static Optional<String> literal(String plain) {
      try {
        return Optional.of(text(InetAddress.getByName(plain)));
      } catch (UnknownHostException none) {
        return Optional.empty();
      }
    }

    static String text(InetAddress address) {
      String text = address.getHostAddress();
      int scope = text.indexOf('%');
      return scope < 0 ? text : text.substring(0, scope);
    }
  }
}
