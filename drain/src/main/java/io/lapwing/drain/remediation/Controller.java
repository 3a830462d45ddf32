package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.Scheduler;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.Seen;
import io.lapwing.drain.cluster.Scheduler.View;
import io.lapwing.drain.guard.Guard;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.guard.StormDetector;
import io.lapwing.drain.guard.Taken;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.health.HealthReader.Answer;
import io.lapwing.drain.journal.Journal;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.Move.Go;
import io.lapwing.drain.remediation.Move.Stay;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Carries all remediations on, one step each a round. Everything is written to the journal before
 * it is done. Not thread-safe: one thread calls it.
 */
public final class Controller {

  private static final Duration REMEMBERED = Duration.ofHours(2);

  private final Policy policy;
  private final Scheduler scheduler;
  private final Repairs repairs;
  private final HealthReader agents;
  private final Journal journal;
  private final Supplier<Optional<String>> stopped;
  private final Guard guard;
  private final StormDetector storms;
  private final Map<NodeName, Remediation> open = new TreeMap<>();
  private final Map<NodeName, String> waiting = new HashMap<>();
  private final List<Taken> taken = new ArrayList<>();
  private String blind = "";
  private long sequence;

  /**
   * Goes on where the journal ends.
   *
   * @param stopped the kill switch: why nothing may be done; empty if it may
   */
  public Controller(
      Policy policy,
      Scheduler scheduler,
      Repairs repairs,
      HealthReader agents,
      Journal journal,
      Supplier<Optional<String>> stopped) {
    this.policy = policy;
    this.scheduler = scheduler;
    this.repairs = repairs;
    this.agents = agents;
    this.journal = journal;
    this.stopped = stopped;
    this.guard = new Guard(policy.budget());
    this.storms = new StormDetector(policy.budget());
    journal.entries().forEach(this::recover);
  }

  private void recover(Entry entry) {
    Remediation state = entry.state();
    sequence = Math.max(sequence, number(state.id()));
    keep(state);
    state.taken().ifPresent(at -> remember(new Taken(state.node(), at), entry.at()));
  }

  /** The open remediations, by node. */
  public Map<NodeName, Remediation> open() {
    return Map.copyOf(open);
  }

  /** What each open remediation waits for, in words; from the last round. */
  public Map<NodeName, String> waiting() {
    return Map.copyOf(waiting);
  }

  /** Why the cluster cannot be seen; empty if it was in the last round. */
  public String blind() {
    return blind;
  }

  /**
   * Takes a request in. Repetitions change nothing.
   *
   * @return why it is not taken; empty if it is
   * @throws IOException if it cannot be written down
   */
  public Optional<String> request(Request request, Instant now) throws IOException {
    if (request.trial()) {
      return Optional.of("it tries the alerts");
    }
    if (!request.remedy().takesNode()) {
      return Optional.of(request.remedy().word() + " needs no node");
    }
    storms.requested(request.rule(), request.node(), now);
    Remediation before = open.get(request.node());
    if (before == null) {
      write(now, "requested by " + request.source(), Remediation.of(nextId(now), request, now));
    } else if (!before.joined(request).equals(before) && before.phase() == Phase.REQUESTED) {
      write(now, "requested by " + request.source() + " too", before.joined(request));
    }
    return Optional.empty();
  }

  /**
   * One round.
   *
   * @throws IOException if a decision cannot be written down; it was not carried out then
   */
  public void round(Instant now) throws IOException {
    Seen seen = scheduler.view();
    if (seen instanceof CannotSee cannot) {
      blind = cannot.why();
      return;
    }
    blind = "";
    ClusterView cluster = ((View) seen).cluster();
    List<Remediation> order = new ArrayList<>(open.values());
    order.sort(ORDER);
    boolean one = false;
    for (Remediation remediation : order) {
      // A view is good for one node taken: the next would be counted against an old one.
      if (!one || remediation.phase() != Phase.REQUESTED) {
        one |= carryOn(remediation, cluster, now);
      }
    }
  }

  /**
   * What holds a node first, so that nodes are returned before others are taken; then the urgent.
   */
  private static final Comparator<Remediation> ORDER =
      Comparator.comparing((Remediation r) -> !r.phase().holdsNode())
          .thenComparing(Remediation::urgency, Comparator.reverseOrder())
          .thenComparing(Remediation::opened);

  /** Returns whether a node was taken, or may have been. */
  private boolean carryOn(Remediation remediation, ClusterView cluster, Instant now)
      throws IOException {
    Move move = NextMove.of(remediation, situation(remediation, cluster, now));
    if (move instanceof Stay stay) {
      waiting.put(remediation.node(), stay.why());
      open.replace(remediation.node(), stay.state());
      return false;
    }
    waiting.remove(remediation.node());
    if (move instanceof Go go) {
      write(now, go.why(), go.state());
      return false;
    }
    Do what = (Do) move;
    write(now, what.why(), what.state());
    after(what, command(what, cluster), now);
    return what.command() == Move.Command.DRAIN;
  }

  private Situation situation(Remediation remediation, ClusterView cluster, Instant now) {
    return new Situation(
        now,
        cluster,
        policy,
        once(() -> agents.ask(remediation.node())),
        () -> against(remediation, cluster, now),
        stopped.get());
  }

  private static Supplier<Answer> once(Supplier<Answer> asked) {
    List<Answer> answer = new ArrayList<>();
    return () -> {
      if (answer.isEmpty()) {
        answer.add(asked.get());
      }
      return answer.get(0);
    };
  }

  private List<Objection> against(Remediation remediation, ClusterView cluster, Instant now) {
    List<Objection> all =
        new ArrayList<>(guard.against(remediation.node(), cluster, held(), taken));
    storms.against(remediation.rule(), now).ifPresent(all::add);
    return all;
  }

  /** Nodes that are ours, or may be. */
  private Set<NodeName> held() {
    return open.values().stream()
        .filter(one -> one.phase().holdsNode() || one.phase() == Phase.DRAINING)
        .map(Remediation::node)
        .collect(Collectors.toSet());
  }

  private CommandResult command(Do what, ClusterView cluster) {
    Remediation state = what.state();
    return switch (what.command()) {
      case DRAIN -> scheduler.drain(state.node(), state.reason());
      case RESUME -> scheduler.resume(state.node(), state.reason());
      case REPAIR -> {
        NodeState node = cluster.node(state.node()).orElseThrow();
        yield repairs.begin(state.remedy(), node, state.reason());
      }
    };
  }

  /** An unclear result is left to the next view of the cluster. */
  private void after(Do what, CommandResult result, Instant now) throws IOException {
    Remediation state = what.state();
    if (what.command() == Move.Command.DRAIN) {
      remember(new Taken(state.node(), now), now);
    }
    if (result instanceof Unclear unclear) {
      waiting.put(state.node(), "unclear: " + unclear.why());
    }
    if (result instanceof Refused refused) {
      boolean untouched = what.command() == Move.Command.DRAIN;
      write(
          now,
          "refused: " + refused.why(),
          state.to(untouched ? Phase.REQUESTED : Phase.HANDED_OVER, now));
    }
  }

  private void write(Instant now, String what, Remediation state) throws IOException {
    journal.append(new Entry(now, what, state));
    keep(state);
  }

  private void keep(Remediation state) {
    if (state.phase().ended()) {
      open.remove(state.node());
      waiting.remove(state.node());
    } else {
      open.put(state.node(), state);
    }
  }

  private void remember(Taken one, Instant now) {
    taken.removeIf(
        old -> old.node().equals(one.node()) || old.at().isBefore(now.minus(REMEMBERED)));
    taken.add(one);
  }

  private String nextId(Instant now) {
    sequence++;
    return now.getEpochSecond() + "-" + sequence;
  }

  private static long number(String id) {
    return Long.parseLong(id.substring(id.lastIndexOf('-') + 1));
  }
}
