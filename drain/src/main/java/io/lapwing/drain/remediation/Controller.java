package io.lapwing.drain.remediation;

import io.lapwing.common.log.Log;
import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs.Progress;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.Seen;
import io.lapwing.drain.cluster.Scheduler.View;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.guard.StormDetector;
import io.lapwing.drain.health.HealthReader.Answer;
import io.lapwing.drain.jobs.Appraiser;
import io.lapwing.drain.jobs.BlastRadius;
import io.lapwing.drain.jobs.WaitRule;
import io.lapwing.drain.journal.Journal;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.Move.Go;
import io.lapwing.drain.remediation.Move.Stay;
import io.lapwing.drain.remediation.Move.Would;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Carries all remediations on, one step each a round. Everything is written to the journal before
 * it is done. Not thread-safe: one thread calls it.
 */
public final class Controller {

  private static final Log LOG = Log.of(Controller.class);

  private final Policy policy;
  private final Ports ports;
  private final Commands commands;
  private final StormDetector storms;
  private final Appraiser appraiser;
  private final JobTurns jobs;
  private final Lemons lemons;
  private final Book book;
  private final Objections objections;
  private final LastCheck lastCheck;
  private final CommandResults results;
  private final Map<NodeName, Waiting> waiting = new TreeMap<>();

  /** Of the agents that were queried at the beginning of the round. */
  private Map<NodeName, Answer> answers = Map.of();

  /** Since the last round. */
  private final Set<NodeName> requested = new HashSet<>();

  private final Set<NodeName> failed = new HashSet<>();
  private List<NodeState> orphans = List.of();
  private Optional<String> blind = Optional.empty();
  private boolean restarted = true;

  /** Whether a dry run has recorded a decision in this round. */
  private boolean tried;

  /** Goes on where the journal ends. */
  public Controller(Policy policy, Ports ports, Journal journal) {
    this.policy = policy;
    this.ports = ports;
    this.commands = new Commands(ports, policy.ladder());
    this.storms = new StormDetector(policy.budget());
    this.appraiser =
        new Appraiser(ports.checkpoints(), ports.prices(), new WaitRule(policy.waits()));
    this.book = new Book(journal);
    this.jobs = new JobTurns(policy.waits(), ports.checkpoints(), book.open());
    this.lemons = new Lemons(policy.ladder());
    book.addReader(jobs::remember);
    book.addReader(lemons::remember);
    book.addReader(state -> waiting.remove(state.node()));
    this.objections = new Objections(policy, ports, book, storms);
    this.lastCheck = new LastCheck(policy, ports, objections);
    this.results = new CommandResults(book, jobs, waiting);
    book.recover();
  }

  /**
   * Continues for another controller of the same journal, with the state that is not in the journal
   * because it is read again after a restart, or is lost then.
   */
  public Controller after(Controller before) {
    results.after(before.results);
    requested.addAll(before.requested);
    book.after(before.book);
    jobs.after(before.jobs);
    storms.after(before.storms);
    restarted = before.restarted;
    before.open().values().stream()
        .filter(open -> open.isSameStep(book.open().get(open.node())))
        .forEach(book::observe);
    return this;
  }

  /**
   * What an open remediation waits for; from the last round.
   *
   * @param person whether a person has to act
   */
  public record Waiting(String why, boolean person) {}

  /** The open remediations, by node. */
  public Map<NodeName, Remediation> open() {
    return Map.copyOf(book.open());
  }

  /** What the open remediations wait for, by node. */
  public Map<NodeName, Waiting> waiting() {
    return Map.copyOf(waiting);
  }

  /** What stood against an action when it was last considered, by node with an open remediation. */
  public Map<NodeName, List<Objection>> objections() {
    return objections.last();
  }

  /** As after the last round; for other threads. */
  public ControllerState state(Instant now) {
    return new ControllerState(
        now,
        open(),
        waiting(),
        blind,
        ports.stopped().get(),
        storms.lasting(now),
        orphans,
        List.copyOf(book.taken()),
        book.uncompacted());
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
    countAgain(now);
    Remediation before = book.open().get(request.node());
    if (before == null) {
      Optional<String> theirs = book.theirs(request);
      if (theirs.isPresent()) {
        return theirs;
      }
      Remediation opened = Remediation.of(book.nextId(now), request, now);
      book.write(now, "requested by " + request.source(), opened);
    } else if (before.phase().compareTo(Phase.WAITING_FOR_JOBS) > 0) {
      if (request.rule().isEmpty()) {
        return Optional.of(
            "the node is "
                + before.phase().word()
                + " for remediation "
                + before.id()
                + ", and only its agent can ask for more now");
      }
    } else if (!before.joined(request).equals(before)) {
      book.write(now, "requested by " + request.source() + " too", before.joined(request));
    }
    // Only requests in the journal: senders repeat the others.
    requested.add(request.node());
    storms.requested(request.rule(), request.node(), request.since(), now);
    return Optional.empty();
  }

  /** One round that takes no time. */
  public void round(Instant now) throws IOException {
    round(() -> now);
  }

  /** Whether something was requested since the last round. */
  public boolean isRequested() {
    return !requested.isEmpty();
  }

  /**
   * One round. Its decisions are of its beginning; the clock is read again before harm is done.
   *
   * @throws IOException if a decision cannot be written down; it was not carried out then
   */
  public void round(InstantSource time) throws IOException {
    round(time, order -> order);
  }

  /**
   * The same for the nodes that were requested since the last round, and for those that wait to be
   * taken before them. The agents of the others are not queried.
   */
  public void roundOfRequested(InstantSource time) throws IOException {
    Set<NodeName> nodes = Set.copyOf(requested);
    round(time, order -> upTo(order, nodes));
  }

  private static List<Remediation> upTo(List<Remediation> order, Set<NodeName> nodes) {
    int end = order.size();
    while (end > 0 && !nodes.contains(order.get(end - 1).node())) {
      end--;
    }
    return order.subList(0, end).stream()
        .filter(one -> one.phase() == Phase.REQUESTED || nodes.contains(one.node()))
        .toList();
  }

  private void round(InstantSource time, UnaryOperator<List<Remediation>> selection)
      throws IOException {
    requested.clear();
    Instant now = time.instant();
    countAgain(now);
    results.settle(now);
    Seen seen = ports.scheduler().latest();
    if (seen instanceof CannotSee cannot) {
      blind = Optional.of(cannot.why());
      return;
    }
    blind = Optional.empty();
    book.compact(now);
    View view = (View) seen;
    lastCheck.begin(time, view);
    ClusterIndex cluster = new ClusterIndex(view.cluster());
    orphans = orphans(cluster);
    List<Remediation> order = selection.apply(inOrder(cluster));
    answers =
        ports
            .agents()
            .askAll(
                order.stream()
                    .filter(one -> mayBeAsked(one, cluster, now))
                    .map(Remediation::node)
                    .toList());
    boolean one = false;
    order.forEach(open -> failed.remove(open.node()));
    failed.retainAll(book.open().keySet());
    tried = false;
    for (Remediation remediation : order) {
      // A view is good for one node taken or job ended: the next would be counted against an old
      // one.
      if (!one || remediation.phase() != Phase.REQUESTED) {
        one |= tryToCarryOn(remediation, cluster, now);
      }
    }
  }

  /** Nodes that a controller took and that no open remediation is about: of a lost journal. */
  private List<NodeState> orphans(ClusterIndex cluster) {
    return cluster.view().nodes().values().stream()
        .filter(node -> node.mark().isPresent())
        .filter(
            node ->
                Optional.ofNullable(book.open().get(node.name()))
                    .filter(
                        open ->
                            node.heldFor(open.reason())
                                || node.more().leftOver().equals(open.reason()))
                    .isEmpty())
        .toList();
  }

  /**
   * Before any new request, which has the start of its finding. Old requests no longer count as a
   * storm.
   */
  private void countAgain(Instant now) {
    if (restarted) {
      restarted = false;
      Duration lasts = policy.budget().systemicWithin().plus(policy.budget().coolDown());
      book.open().values().stream()
          .filter(one -> one.opened().isAfter(now.minus(lasts)))
          .forEach(one -> storms.requested(one.rule(), one.node(), one.began(), now));
    }
  }

  /** Whether the verdict of its agent may matter in this round; otherwise it is read on demand. */
  private boolean mayBeAsked(Remediation one, ClusterIndex cluster, Instant now) {
    return results.running(one.node()).isEmpty()
        && !results.isPaused(one.node(), now)
        && cluster
            .node(one.node())
            .filter(node -> one.phase().asksAgent(node.service()))
            .isPresent();
  }

  /**
   * What holds a node first, so that nodes are returned before others are taken; then other nodes
   * of jobs that are hurt already; then the urgent.
   */
  private List<Remediation> inOrder(ClusterIndex cluster) {
    Set<NodeName> hurt = new HashSet<>();
    for (NodeName held : book.held()) {
      for (Job job : cluster.jobsOn(held)) {
        hurt.addAll(job.nodes());
      }
    }
    List<Remediation> order = new ArrayList<>(book.open().values());
    order.sort(
        Comparator.comparing((Remediation r) -> !r.phase().holdsNode())
            .thenComparing(r -> !hurt.contains(r.node()))
            .thenComparing(Remediation::urgency, Comparator.reverseOrder())
            .thenComparing(Remediation::opened));
    return order;
  }

  /** A node whose step fails does not keep the others waiting. */
  private boolean tryToCarryOn(Remediation remediation, ClusterIndex cluster, Instant now)
      throws IOException {
    NodeName node = remediation.node();
    try {
      return carryOn(remediation, cluster, now);
    } catch (RuntimeException bug) {
      LOG.error("the step of " + node + " failed", bug);
      failed.add(node);
      waiting.put(node, new Waiting("its step failed: " + bug, true));
      // The decision before the failure may have been carried out.
      return !remediation.equals(book.open().get(node));
    }
  }

  /** Nodes whose step failed in the last round. */
  public Set<NodeName> failed() {
    return Set.copyOf(failed);
  }

  /** Returns whether a node was taken or a job ended, or may have been. */
  private boolean carryOn(Remediation remediation, ClusterIndex cluster, Instant now)
      throws IOException {
    Optional<Do> command = results.running(remediation.node());
    boolean again = results.isLettingGo(remediation);
    boolean letGo = again || isLetGo(remediation, cluster);
    if (command.isPresent() && !letGo) {
      String word = command.get().command() == Command.REPAIR ? "repair" : "release of the GPUs";
      waiting.put(
          remediation.node(), new Waiting("the command of the " + word + " has not ended", false));
      return false;
    }
    boolean pause = results.isPaused(remediation.node(), now);
    if (pause && (!letGo || results.cannotLetGo(remediation.node()))) {
      return false;
    }
    results.endPause(remediation.node());
    objections.forget(remediation.node());
    Situation in = situation(remediation, cluster, now);
    Move move =
        again && cluster.node(remediation.node()).isPresent()
            ? new Do(Command.LET_GO, "our marks could not be taken off", remediation)
            : NextMove.of(remediation, in);
    if (move instanceof Stay stay) {
      tried(stay, in);
      waiting.put(remediation.node(), new Waiting(stay.why(), stay.person()));
      book.observe(stay.state());
      return false;
    }
    if (move instanceof Go go) {
      boolean jobsLeft =
          remediation.phase() == Phase.WAITING_FOR_JOBS && go.state().phase() == Phase.DRAINED;
      if (jobsLeft && !lastCheck.isIdle(remediation.node(), cluster)) {
        waiting.put(remediation.node(), new Waiting("a job may still run on it", false));
        return false;
      }
      book.write(now, go.why(), go.state());
      if (go.state().phase() == Phase.NOT_NEEDED && cluster.node(remediation.node()).isPresent()) {
        // By its agent; a node that its scheduler does not list may have had the fault.
        storms.withdrawn(remediation.node());
      }
      return false;
    }
    Do what = (Do) move;
    Optional<BlastRadius> radius =
        what.command().isDecision()
            ? cluster.node(remediation.node()).map(node -> radius(node, remediation, in))
            : Optional.empty();
    if (what.command() == Command.REPAIR) {
      book.write(now, commands.saveEvidence(what.state()), remediation);
    }
    // Before it is written that it may have been done: evidence and radius take seconds.
    Optional<String> meanwhile = lastCheck.against(what, remediation, in);
    if (meanwhile.isPresent()) {
      waiting.put(remediation.node(), new Waiting(meanwhile.get(), false));
      return false;
    }
    if (!again) {
      book.write(new Entry(now, what.why(), what.state(), radius));
    }
    CommandResult result = commands.carryOut(what, cluster);
    results.add(what, result, now);
    return what.command() == Command.DRAIN || what.command() == Command.END_JOB;
  }

  /** Whether another user has taken our marks off: they can be put back by a cordon. */
  private static boolean isLetGo(Remediation remediation, ClusterIndex cluster) {
    return remediation.phase().holdsNode()
        && cluster
            .node(remediation.node())
            .filter(node -> node.more().leftOver().equals(remediation.reason()))
            .isPresent();
  }

  /** A decision of a dry run is written as another one; one each round, since that takes time. */
  private void tried(Stay stay, Situation in) throws IOException {
    Remediation state = stay.state();
    Optional<Would> would = stay.would().filter(one -> !book.hasWould(state, one));
    if (would.isPresent() && !tried) {
      tried = true;
      Optional<BlastRadius> radius =
          in.cluster().node(state.node()).map(node -> radius(node, state, in));
      book.write(new Entry(in.now(), would.get().toString(), state, radius));
    }
  }

  private BlastRadius radius(NodeState node, Remediation remediation, Situation in) {
    return appraiser.of(
        node,
        in.cluster(),
        policy.waits().hazard(in.rules(remediation)),
        ports.scheduler().blockers(node.name()),
        in.now());
  }

  private Situation situation(Remediation remediation, ClusterIndex cluster, Instant now) {
    NodeName name = remediation.node();
    return new Situation(
        now,
        cluster,
        policy,
        once(() -> answers.containsKey(name) ? answers.get(name) : ports.agents().ask(name)),
        verb -> objections.against(verb, remediation, cluster, now),
        jobs,
        lemons,
        once(() -> ports.scheduler().others(name)),
        once(() -> ports.release().state(name)),
        once(() -> progress(remediation, cluster)),
        results.hasBegun(remediation),
        () -> ports.test().result(name, remediation.testId()),
        ports.test().needsAnIdleNode());
  }

  private Progress progress(Remediation remediation, ClusterIndex cluster) {
    return cluster
        .node(remediation.node())
        .map(node -> ports.repairs().progress(remediation.remedy(), node, remediation.reason()))
        .orElse(Progress.UNKNOWN);
  }

  private static <T> Supplier<T> once(Supplier<T> asked) {
    List<T> answer = new ArrayList<>(1);
    return () -> {
      if (answer.isEmpty()) {
        answer.add(asked.get());
      }
      return answer.get(0);
    };
  }
}
