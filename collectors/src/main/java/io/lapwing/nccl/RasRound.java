package io.lapwing.nccl;

import io.lapwing.linux.ProcFs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One round of questions to whatever listens at an address. All processes of a user share the port
 * ({@code SO_REUSEPORT}), so the kernel gives each connection to an arbitrary one of them. Each
 * answers for the whole of its job. One question is enough where one job runs; it is asked again
 * while a process is missing that is known to run, or in order to find jobs that are not known.
 */
final class RasRound {

  /** Of two jobs with as many processes each, one is missed once in eight rounds. */
  static final int MOST_QUESTIONS = 4;

  private static final Pattern TEXT_VERSION = Pattern.compile("NCCL version (\\S{1,64}).*");

  private final RasEndpoint endpoint;
  private final ProcFs proc;
  private final NodeAddresses addresses;
  private final RasLimits limits;
  private final Set<String> seen = new HashSet<>();
  private final Set<LocalProcess> processes = new HashSet<>();
  private final List<RasReply> replies = new ArrayList<>();
  private long bytes;
  private double longest;

  RasRound(RasEndpoint endpoint, ProcFs proc, NodeAddresses addresses, RasLimits limits) {
    this.endpoint = endpoint;
    this.proc = proc;
    this.addresses = addresses;
    this.limits = limits;
  }

  /**
   * What is known before.
   *
   * @param communicators whose processes still run
   * @param discover whether to ask on for others even where all of these are seen
   * @param textVersion whether the version of a service that speaks only text is known, so that it
   *     need not gather a reply of which nothing else is read
   */
  record Known(List<RasCommunicator> communicators, boolean discover, boolean textVersion) {

    Known {
      communicators = List.copyOf(communicators);
    }
  }

  /**
   * What came of it.
   *
   * @param failure of the last question, where it got no answer
   * @param bytes received in all
   * @param seconds that the longest answer took
   */
  record Outcome(List<RasReply> replies, Optional<RasFailure> failure, long bytes, double seconds) {

    Outcome {
      replies = List.copyOf(replies);
    }
  }

  /** Asks, once for each object. */
  Outcome ask(Known known) {
    Deadline all = Deadline.in(limits.all());
    try {
      boolean again = true;
      for (int i = 0; i < MOST_QUESTIONS && again; i++) {
        again = isAnyLeft(known, timed(all.atMost(limits.one()), known));
      }
      return new Outcome(replies, Optional.empty(), bytes, longest);
    } catch (RasFailure failure) {
      return new Outcome(replies, Optional.of(failure), bytes, longest);
    }
  }

  private RasReply timed(Deadline deadline, Known known) throws RasFailure {
    long begin = System.nanoTime();
    try {
      return ask(deadline, known);
    } finally {
      longest = Math.max(longest, (System.nanoTime() - begin) / 1e9);
    }
  }

  private boolean isAnyLeft(Known known, RasReply reply) {
    replies.add(reply);
    boolean unknown = false;
    for (RasCommunicator one : reply.communicators()) {
      unknown |= seen.add(one.id().hash());
    }
    processes.addAll(reply.processes());
    return reply.json()
        && ((known.discover() && unknown)
            || !known.communicators().stream().allMatch(this::answered));
  }

  /** A job answered where one of its processes stands in a reply, or one of its communicators. */
  private boolean answered(RasCommunicator known) {
    return seen.contains(known.id().hash())
        || known.local().stream().anyMatch(rank -> processes.contains(rank.process()));
  }

  private RasReply ask(Deadline deadline, Known known) throws RasFailure {
    try (RasConversation conversation =
        RasConversation.open(endpoint, deadline, limits.bytes() - bytes)) {
      try {
        return conversation.wantsJson()
            ? json(conversation)
            : text(conversation, known.textVersion());
      } finally {
        bytes += conversation.received();
      }
    }
  }

  private RasReply json(RasConversation conversation) throws RasFailure {
    long before = conversation.received();
    InputStream in = conversation.status();
    RasReply reply = RasReplyReader.read(in, new LocalProcesses(proc, addresses(conversation)));
    return reply.withBytes(conversation.received() - before);
  }

  /** A service in a network namespace of its own calls its host by the address asked here. */
  private Set<InetAddress> addresses(RasConversation conversation) {
    Set<InetAddress> all = new HashSet<>(addresses.now());
    all.add(conversation.peer());
    return all;
  }

  /** Text is for people and changes with each release: only the version is taken from it. */
  private static RasReply text(RasConversation conversation, boolean known) throws RasFailure {
    if (known) {
      return RasReply.ofText("", 0);
    }
    long before = conversation.received();
    InputStream in = conversation.status();
    try {
      Matcher version = TEXT_VERSION.matcher(conversation.line());
      in.transferTo(OutputStream.nullOutputStream());
      return RasReply.ofText(
          version.matches() ? RasReplyReader.clean(version.group(1)) : "unknown",
          conversation.received() - before);
    } catch (IOException broken) {
      throw RasConversation.failure(broken);
    }
  }
}
