package io.lapwing.nccl;

import io.lapwing.linux.NodeAddresses;
import io.lapwing.linux.ProcFs;
import io.lapwing.nccl.RasReply.Communicator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One round of queries to an address. All processes of a user share the port ({@code
 * SO_REUSEPORT}), so the kernel assigns each connection to an arbitrary one, which answers for its
 * whole job. Queries are repeated while a process known to run is missing, or to discover other
 * jobs.
 */
final class RasRound {

  /** Of two jobs of the same size, one is missed once in eight rounds. */
  static final int MAX_QUERIES = 4;

  private static final Pattern TEXT_VERSION = Pattern.compile("NCCL version (\\S{1,64}).*");

  private final RasEndpoint endpoint;
  private final ProcFs proc;
  private final NodeAddresses addresses;
  private final Limits limits;
  private final Set<String> seen = new HashSet<>();
  private final Set<LocalProcesses.LocalProcess> processes = new HashSet<>();
  private final List<RasReply> replies = new ArrayList<>();
  private long bytes;
  private double longest;

  RasRound(RasEndpoint endpoint, ProcFs proc, NodeAddresses addresses, Limits limits) {
    this.endpoint = endpoint;
    this.proc = proc;
    this.addresses = addresses;
    this.limits = limits;
  }

  /**
   * Communicators whose processes still run, whether to discover further jobs, and whether the
   * version of a text-only service is known, so that no status need be requested.
   */
  record Known(List<Communicator> communicators, boolean discover, boolean textVersion) {

    Known {
      communicators = List.copyOf(communicators);
    }
  }

  /** The replies, the failure of the last query, all received bytes and the longest query. */
  record Outcome(List<RasReply> replies, Optional<RasFailure> failure, long bytes, double seconds) {

    Outcome {
      replies = List.copyOf(replies);
    }
  }

  /** Runs the round; call once. */
  Outcome ask(Known known) {
    RasConnection.Deadline all = RasConnection.Deadline.in(limits.all());
    try {
      boolean again = true;
      for (int i = 0; i < MAX_QUERIES && again; i++) {
        again = needsAnother(known, timed(all.atMost(limits.one()), known));
      }
      return new Outcome(replies, Optional.empty(), bytes, longest);
    } catch (RasFailure failure) {
      return new Outcome(replies, Optional.of(failure), bytes, longest);
    }
  }

  private RasReply timed(RasConnection.Deadline deadline, Known known) throws RasFailure {
    long begin = System.nanoTime();
    try {
      return ask(deadline, known);
    } finally {
      longest = Math.max(longest, (System.nanoTime() - begin) / 1e9);
    }
  }

  private boolean needsAnother(Known known, RasReply reply) {
    replies.add(reply);
    boolean unknown = false;
    for (Communicator one : reply.communicators()) {
      unknown |= seen.add(one.id().hash());
    }
    processes.addAll(reply.processes());
    return reply.json()
        && ((known.discover() && unknown)
            || !known.communicators().stream().allMatch(this::answered));
  }

  /** A job has answered if a reply contains one of its processes or communicators. */
  private boolean answered(Communicator known) {
    return seen.contains(known.id().hash())
        || known.local().stream().anyMatch(rank -> processes.contains(rank.process()));
  }

  private RasReply ask(RasConnection.Deadline deadline, Known known) throws RasFailure {
    try (RasConnection connection =
        RasConnection.open(endpoint, deadline, limits.bytes() - bytes)) {
      try {
        return connection.requestJson() ? json(connection) : text(connection, known.textVersion());
      } finally {
        bytes += connection.received();
      }
    }
  }

  private RasReply json(RasConnection connection) throws RasFailure {
    long before = connection.received();
    InputStream in = connection.status();
    RasReply reply =
        RasReplyReader.read(in, new LocalProcesses(proc, addresses(connection), owners()));
    return reply.withBytes(connection.received() - before);
  }

  /**
   * The users who listen on the port in the agent's network namespace; empty if none is visible.
   */
  private Set<Long> owners() {
    return proc.listeners(endpoint.port()).toOptional().orElse(Set.of());
  }

  /** A service in a network namespace of its own names its host by the address queried here. */
  private Set<InetAddress> addresses(RasConnection connection) {
    Set<InetAddress> all = new HashSet<>(addresses.now());
    all.add(connection.peer());
    return all;
  }

  /** The text format is for people and changes with each release: only the version is read. */
  private static RasReply text(RasConnection connection, boolean known) throws RasFailure {
    if (known) {
      return RasReply.ofText("", 0);
    }
    long before = connection.received();
    InputStream in = connection.status();
    try {
      Matcher version = TEXT_VERSION.matcher(connection.line());
      in.transferTo(OutputStream.nullOutputStream());
      return RasReply.ofText(
          version.matches() ? RasReplyReader.clean(version.group(1)) : "unknown",
          connection.received() - before);
    } catch (IOException broken) {
      throw RasConnection.failure(broken);
    }
  }

  /**
   * Size and time limits.
   *
   * @param bytes of all replies of a round together
   * @param one for one reply
   * @param all for a round
   * @param patience how long a run of the collector waits for its round; later results are exposed
   *     by the next run
   */
  record Limits(long bytes, Duration one, Duration all, Duration patience) {

    /**
     * NCCL answers within 10 s, even if its peers do not. The patience is well below the deadline
     * after which a source counts as hung.
     */
    static final Limits DEFAULT =
        new Limits(
            64L << 20, Duration.ofSeconds(12), Duration.ofSeconds(25), Duration.ofSeconds(3));
  }
}
