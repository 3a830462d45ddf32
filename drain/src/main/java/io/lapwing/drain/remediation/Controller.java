package io.lapwing.drain.remediation;

import io.lapwing.common.log.Log;
import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Accepted;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Running;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs.Progress;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.Seen;
import io.lapwing.drain.cluster.Scheduler.View;
import io.lapwing.drain.guard.Brake;
import io.lapwing.drain.guard.Guard;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.guard.StormDetector;
import io.lapwing.drain.guard.Taken;
import io.lapwing.drain.health.HealthReader.Answer;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.jobs.Appraiser;
import io.lapwing.drain.jobs.BlastRadius;
import io.lapwing.drain.jobs.WaitRule;
import io.lapwing.drain.journal.Journal;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.Move.Go;
import io.lapwing.drain.remediation.Move.Stay;
import io.lapwing.drain.remediation.Move.Would;
import io.lapwing.drain.remediation.SecondOpinion.Failing;
import io.lapwing.drain.remediation.SecondOpinion.Healthy;
import io.lapwing.drain.remediation.SecondOpinion.Uncertain;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Carries all remediations on, one step each a round. Everything is written to the journal before
 * it is done. Not thread-safe: one thread calls it.
 */
public final class Controller {

  private static final Log LOG = Log.of(Controller.class);

  /** After a command for which the other side was busy. */
  private static final Duration RETRY = Duration.ofMinutes(1);

  /** The cluster is read again before a drain if the view of the round is older. */
  private static final Duration RECENT = Duration.ofMillis(500);

  /** Meanwhile it needs a person. */
  private static final Duration AFTER_REFUSAL = Duration.ofMinutes(10);

  private final Policy policy;
  private final Ports ports;
  private final Commands commands;
  private final Guard guard;
  private final Brake brake;
  private final StormDetector storms;
  private final Appraiser appraiser;
  private final JobTurns jobs;
  private final Lemons lemons;
  private final Book book;
  private final Map<NodeName, Waiting> waiting = new TreeMap<>();
  private final Map<NodeName, List<Objection>> objections = new TreeMap<>();

  /**
   * Nodes whose scheduler or platform was busy. Not kept over a restart, after which it is queried
   * again.
   */
  private final Map<NodeName, Instant> notBefore = new HashMap<>();

  /** By id: those whose node another user took over, and whose marks could not be removed yet. */
  private final Set<String> lettingGo = new HashSet<>();

  /** Those of which the scheduler refuses it: tried again after the pause only. */
  private final Set<NodeName> cannotLetGo = new HashSet<>();

  /** Commands of repairs and releases that have not ended. */
  private final Map<NodeName, Begun> running = new HashMap<>();

  private record Begun(Do what, Running command) {}

  /** Repairs whose command was accepted. After a restart only the node can show that. */
  private final Set<String> begun = new HashSet<>();

  /** Whether no job can be missing in the view of the round. */
  private boolean complete;

  /** Of the agents that were queried at the beginning of the round. */
  private Map<NodeName, Answer> answers = Map.of();

  /** Goes on during a round. */
  private InstantSource clock = () -> Instant.MIN;

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
    this.guard = new Guard(policy.budget());
    this.brake = new Brake(policy.guard());
    this.storms = new StormDetector(policy.budget());
    this.appraiser =
        new Appraiser(ports.checkpoints(), ports.prices(), new WaitRule(policy.waits()));
    this.book = new Book(journal);
    this.jobs = new JobTurns(policy.waits(), ports.checkpoints(), book.open());
    this.lemons = new Lemons(policy.ladder());
    book.addReader(jobs::remember);
    book.addReader(lemons::remember);
    book.recover();
  }

  /**
   * Continues for another controller of the same journal, with the state that is not in the journal
   * because it is read again after a restart, or is lost then.
   */
  public Controller after(Controller before) {
    begun.addAll(before.begun);
    running.putAll(before.running);
    notBefore.putAll(before.notBefore);
    lettingGo.addAll(before.lettingGo);
    cannotLetGo.addAll(before.cannotLetGo);
    requested.addAll(before.requested);
    book.after(before.book);
    jobs.after(before.jobs);
    storms.after(before.storms);
    restarted = before.restarted;
    before.open().values().stream()
        .filter(open -> isSame(open, book.open().get(open.node())))
        .forEach(book::observe);
    return this;
  }

  private static boolean isSame(Remediation one, @Nullable Remediation other) {
    return other != null && other.id().equals(one.id()) && other.phase() == one.phase();
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
    return Map.copyOf(objections);
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
      write(now, "requested by " + request.source(), opened);
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
      write(now, "requested by " + request.source() + " too", before.joined(request));
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
    clock = time;
    requested.clear();
    Instant now = time.instant();
    countAgain(now);
    settle(now);
    Seen seen = ports.scheduler().latest();
    if (seen instanceof CannotSee cannot) {
      blind = Optional.of(cannot.why());
      return;
    }
    blind = Optional.empty();
    book.compact(now);
    View view = (View) seen;
    complete = view.complete();
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

  /**
   * What came of commands that ran beside the rounds. Nothing comes of that on a node which another
   * user took over meanwhile.
   */
  private void settle(Instant now) throws IOException {
    for (Begun one : List.copyOf(running.values())) {
      Optional<CommandResult> result = one.command().result();
      if (result.isPresent()) {
        Remediation state = one.what().state();
        countReplacement(one.what(), result.get());
        if (isSame(state, book.open().get(state.node()))) {
          after(one.what(), result.get(), now);
        }
        running.remove(state.node());
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
    return !running.containsKey(one.node())
        && !now.isBefore(notBefore.getOrDefault(one.node(), now))
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
    Begun command = running.get(remediation.node());
    boolean again = lettingGo.contains(remediation.id());
    boolean letGo = again || isLetGo(remediation, cluster);
    if (command != null && !letGo) {
      String word = command.what().command() == Command.REPAIR ? "repair" : "release of the GPUs";
      waiting.put(
          remediation.node(), new Waiting("the command of the " + word + " has not ended", false));
      return false;
    }
    boolean pause = now.isBefore(notBefore.getOrDefault(remediation.node(), now));
    if (pause && (!letGo || cannotLetGo.contains(remediation.node()))) {
      return false;
    }
    notBefore.remove(remediation.node());
    cannotLetGo.remove(remediation.node());
    objections.remove(remediation.node());
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
      if (jobsLeft && !isIdle(remediation.node(), cluster)) {
        waiting.put(remediation.node(), new Waiting("a job may still run on it", false));
        return false;
      }
      write(now, go.why(), go.state());
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
      write(now, commands.saveEvidence(what.state()), remediation);
    }
    // Before it is written that it may have been done: evidence and radius take seconds.
    Optional<String> meanwhile = meanwhile(what, remediation, in);
    if (meanwhile.isPresent()) {
      waiting.put(remediation.node(), new Waiting(meanwhile.get(), false));
      return false;
    }
    if (!again) {
      write(new Entry(now, what.why(), what.state(), radius));
    }
    CommandResult result = commands.carryOut(what, cluster);
    countReplacement(what, result);
    after(what, result, now);
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

  /** The view of the round may have missed a job that began before the drain. */
  private boolean isIdle(NodeName node, ClusterIndex cluster) {
    return recent(cluster).filter(now -> now.jobsOn(node).isEmpty()).isPresent();
  }

  /** The current cluster; empty if the scheduler does not answer. A round may last for seconds. */
  private Optional<ClusterIndex> recent(ClusterIndex cluster) {
    boolean recent = !clock.instant().isAfter(cluster.view().at().plus(RECENT));
    return complete && recent ? Optional.of(cluster) : fresh();
  }

  private Optional<ClusterIndex> fresh() {
    return ports.scheduler().view() instanceof View view
        ? Optional.of(new ClusterIndex(view.cluster()))
        : Optional.empty();
  }

  private Optional<String> meanwhile(Do what, Remediation remediation, Situation in) {
    return switch (what.command()) {
      case DRAIN, END_JOB, EVICT, REPAIR -> stoppedMeanwhile(what, remediation, in);
      case RESUME -> notHealthyNow(remediation.node(), in);
      case RELEASE, END_RELEASE, LET_GO -> Optional.empty();
    };
  }

  /**
   * Why a node is not returned after all. All agents were queried at the beginning of the round; if
   * the nodes before it took minutes, its own is queried again.
   */
  private Optional<String> notHealthyNow(NodeName name, Situation in) {
    if (expired(in, clock.instant()).isEmpty()) {
      return Optional.empty();
    }
    SecondOpinion opinion = SecondOpinion.of(ports.agents().ask(name), clock.instant(), policy);
    if (opinion instanceof Failing failing) {
      return Optional.of("it fails again: " + Step.words(failing.health()));
    }
    return opinion instanceof Healthy healthy
        ? in.cluster().node(name).flatMap(node -> Gate.closed(node, healthy.health(), policy))
        : Optional.of(((Uncertain) opinion).why());
  }

  /** Why a decision may not be carried out after all; empty if it may. */
  private Optional<String> stoppedMeanwhile(Do what, Remediation remediation, Situation in) {
    boolean repairs = what.command() == Command.REPAIR || what.command() == Command.EVICT;
    Optional<ClusterIndex> meanwhile = repairs ? fresh() : recent(in.cluster());
    if (meanwhile.isEmpty()) {
      return Optional.of("the scheduler does not answer");
    }
    ClusterIndex fresh = meanwhile.get();
    if (fresh.node(remediation.node()).isEmpty()) {
      return Optional.of("the scheduler does not list the node");
    }
    Instant now = clock.instant();
    if (what.job().filter(job -> !runsOn(fresh, remediation.node(), job)).isPresent()) {
      return Optional.of("the job has left the node");
    }
    Optional<String> changed =
        switch (what.command()) {
          case REPAIR, EVICT -> Commands.notReady(remediation, fresh);
          case END_JOB -> Commands.notOurs(remediation, fresh);
          default -> Optional.empty();
        };
    return changed
        .or(() -> Step.words(against(verb(what), remediation, fresh, now)))
        .or(() -> expired(in, now));
  }

  private static boolean runsOn(ClusterIndex cluster, NodeName node, Job job) {
    return cluster.jobsOn(node).stream().anyMatch(one -> one.id().equals(job.id()));
  }

  private static Verb verb(Do what) {
    return switch (what.command()) {
      case DRAIN -> Verb.DRAIN;
      case END_JOB -> Verb.END_JOB;
      case EVICT, REPAIR, RELEASE, END_RELEASE, RESUME, LET_GO -> Verb.of(what.state().remedy());
    };
  }

  /** Why the verdict on which it was decided permits nothing any longer; empty if it does. */
  private Optional<String> expired(Situation in, Instant now) {
    Answer answer = in.health().get();
    return !(SecondOpinion.of(answer, in.now(), policy) instanceof Uncertain)
            && SecondOpinion.of(answer, now, policy) instanceof Uncertain old
        ? Optional.of(old.why())
        : Optional.empty();
  }

  /** A decision of a dry run is written as another one; one each round, since that takes time. */
  private void tried(Stay stay, Situation in) throws IOException {
    Remediation state = stay.state();
    Optional<Would> would = stay.would().filter(one -> !book.hasWould(state, one));
    if (would.isPresent() && !tried) {
      tried = true;
      Optional<BlastRadius> radius =
          in.cluster().node(state.node()).map(node -> radius(node, state, in));
      write(new Entry(in.now(), would.get().toString(), state, radius));
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
        verb -> against(verb, remediation, cluster, now),
        jobs,
        lemons,
        once(() -> ports.scheduler().others(name)),
        once(() -> ports.release().state(name)),
        once(() -> progress(remediation, cluster)),
        begun.contains(repairOf(remediation)),
        () -> ports.test().result(name, testOf(remediation)),
        ports.test().needsAnIdleNode());
  }

  private static String repairOf(Remediation one) {
    return one.id() + "-" + one.attempts().size();
  }

  /** A new test for each repair, and for each time for which the node is healthy. */
  private static String testOf(Remediation one) {
    String healthy =
        one.seen().healthySince().map(start -> "-" + start.getEpochSecond()).orElse("");
    return one.id() + "-" + one.attempts().size() + healthy;
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

  private List<Objection> against(
      Verb verb, Remediation remediation, ClusterIndex cluster, Instant now) {
    NodeState node = cluster.node(remediation.node()).orElseThrow();
    boolean byDrain = ports.scheduler().drainReplaces();
    Set<Objection> all = new LinkedHashSet<>(stopping(verb, node, now));
    if (byDrain && (verb == Verb.DRAIN || verb == Verb.END_JOB)) {
      // A node that is drained and idle is replaced, and nothing can stop that.
      all.addAll(stopping(Verb.REPLACE, node, now));
    }
    if (byDrain && verb == Verb.DRAIN) {
      replacesAlone().ifPresent(all::add);
    }
    storms.against(remediation.rule(), now).ifPresent(all::add);
    if (verb == Verb.DRAIN && all.isEmpty()) {
      all.addAll(guard.against(node, cluster, book.held(), book.taken()));
    }
    if (verb == (byDrain ? Verb.DRAIN : Verb.REPLACE) && all.isEmpty()) {
      guard.againstReplacement(now, byDrain ? book.taken() : book.replaced()).ifPresent(all::add);
    }
    if (!all.isEmpty()) {
      objections.put(remediation.node(), List.copyOf(all));
    }
    return List.copyOf(all);
  }

  /** A configuration with these modes is refused, but a reload may hold one of them back. */
  private Optional<Objection> replacesAlone() {
    return policy.mode(Verb.DRAIN) == Mode.ACT && policy.mode(Verb.REPLACE) != Mode.ACT
        ? Optional.of(
            new Objection(
                "mode.replace", "the drain replaces the node, and that may not act", "it may"))
        : Optional.empty();
  }

  private List<Objection> stopping(Verb verb, NodeState node, Instant now) {
    return brake.against(verb, node, ports.stopped().get(), ports.firing().get(), now);
  }

  /** One whose command runs counts until it is known that it was not begun. */
  private void countReplacement(Do what, CommandResult result) {
    Remediation state = what.state();
    if (what.command() == Command.REPAIR && state.remedy() == Remedy.REPLACE_NODE) {
      Taken one = new Taken(state.node(), state.since());
      if (mayHaveBegun(result)) {
        book.replaced(one);
      } else {
        book.notReplaced(one);
      }
    }
  }

  private static boolean mayHaveBegun(CommandResult result) {
    return !(result instanceof NotYet
        || result instanceof Refused
        || result instanceof NotPossible);
  }

  /** An unclear result is left to the next view of the cluster. */
  private void after(Do what, CommandResult result, Instant now) throws IOException {
    Remediation state = what.state();
    boolean done = !(result instanceof NotYet || result instanceof Refused);
    if (what.command() == Command.DRAIN && done) {
      book.taken(new Taken(state.node(), now));
    }
    if (what.command() == Command.REPAIR && result instanceof Accepted) {
      begun.add(repairOf(state));
    }
    if (result instanceof Running command) {
      running.put(state.node(), new Begun(what, command));
    }
    if (what.command() == Command.LET_GO) {
      letGo(state, result instanceof Accepted, now);
    }
    if (result instanceof Unclear unclear) {
      waiting.put(state.node(), new Waiting("unclear: " + unclear.why(), false));
      if (what.command() == Command.LET_GO) {
        notBefore.put(state.node(), now.plus(RETRY));
      }
    }
    if (result instanceof NotYet later) {
      later(what, later.why(), now);
    }
    if (result instanceof NotPossible not) {
      write(
          now,
          "not possible: " + not.why(),
          Step.escalated(state, not.why(), Outcome.REFUSED, now));
    }
    if (result instanceof Refused refused) {
      write(now, "refused: " + refused.why(), refused(what, now));
      if (what.command() == Command.END_JOB) {
        // The other jobs of the node may be ended.
        jobs.refused(what.job().orElseThrow(), refused.why(), now.plus(AFTER_REFUSAL));
      } else if (what.command() != Command.RESUME) {
        if (what.command() == Command.LET_GO) {
          cannotLetGo.add(state.node());
        }
        waiting.put(state.node(), new Waiting("refused: " + refused.why(), true));
        notBefore.put(state.node(), now.plus(AFTER_REFUSAL));
      }
    }
  }

  /**
   * Whatever the result of a repair is, the controller must not return the node or repair it again.
   */
  private void letGo(Remediation state, boolean done, Instant now) throws IOException {
    if (!done) {
      lettingGo.add(state.id());
    } else if (lettingGo.remove(state.id())
        || running.containsKey(state.node())
        || state.phase() == Phase.REPAIRING) {
      write(now, "another user took it over", state.to(Phase.TAKEN_OVER, now));
    }
  }

  /** Nothing was done: a repair was not begun, and a node not taken. */
  private void later(Do what, String why, Instant now) throws IOException {
    Remediation state = what.state();
    switch (what.command()) {
      case DRAIN -> write(now, "not yet: " + why, state.to(Phase.REQUESTED, now));
      case REPAIR -> write(now, "not yet: " + why, state.notAttempted().to(Phase.DRAINED, now));
      // The time in which the agent has to close them has not begun.
      case RELEASE -> write(now, "not yet: " + why, state.to(Phase.DRAINED, now));
      case END_JOB -> write(now, "not yet: " + why, state.jobNotEnded());
      default -> {}
    }
    waiting.put(state.node(), new Waiting("not yet: " + why, false));
    notBefore.put(state.node(), now.plus(RETRY));
  }

  /** No stronger repair follows: the next one may be refused for the same reason, or do harm. */
  private Remediation refused(Do what, Instant now) {
    Remediation state = what.state();
    return switch (what.command()) {
      case DRAIN -> state.to(Phase.REQUESTED, now);
      case REPAIR -> state.notAttempted().to(Phase.DRAINED, now);
      case RELEASE -> state.to(Phase.DRAINED, now);
      case RESUME -> state.to(Phase.HANDED_OVER, now);
      case END_JOB -> state.jobNotEnded();
      case EVICT, END_RELEASE, LET_GO -> state;
    };
  }

  private void write(Instant now, String what, Remediation state) throws IOException {
    write(new Entry(now, what, state, Optional.empty()));
  }

  private void write(Entry entry) throws IOException {
    book.write(entry);
    waiting.remove(entry.state().node());
  }
}
