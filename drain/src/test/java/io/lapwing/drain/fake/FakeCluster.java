package io.lapwing.drain.fake;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.JobEnder;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.Scheduler;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.jobs.CheckpointFacts;
import io.lapwing.drain.jobs.JobProgress;
import io.lapwing.drain.jobs.Prices;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.EvidenceStore;
import io.lapwing.drain.remediation.Ports;
import io.lapwing.drain.remediation.SiteTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in memory and in virtual time: scheduler, repairs and agents, with all their faults.
 * Notes what must never happen.
 */
public final class FakeCluster
    implements Scheduler, Repairs, HealthReader, JobEnder, GpuRelease, CheckpointFacts {

  private static final Duration REPAIR = Duration.ofMinutes(4);
  private static final Duration KILL = Duration.ofMinutes(9);
  private static final Duration CLOSING = Duration.ofSeconds(50);

  private final List<FakeNode> byIndex = new ArrayList<>();
  private final Map<NodeName, FakeNode> nodes = new HashMap<>();
  private final Map<NodeName, NodeState> states = new HashMap<>();
  private final Map<String, FakeJob> jobs = new HashMap<>();
  private final Set<FakeNode> repairing = new HashSet<>();

  /** Without a machine, and without a mark of ours. */
  private final Set<NodeName> absent = new HashSet<>();

  private final Set<NodeName> sick = new TreeSet<>();
  private final Set<NodeName> out = new TreeSet<>();
  private final Set<String> done = new HashSet<>();
  private final LimitOracle limits;
  private boolean changed = true;
  private Map<NodeName, NodeState> shown = Map.of();

  public final List<String> violations = new ArrayList<>();
  public final List<String> commands = new ArrayList<>();
  public final List<Repair> repairs = new ArrayList<>();
  public Instant now = Instant.parse("2026-11-24T00:00:00Z");

  /** Whether the scheduler answers, and whether its answers to commands are lost. */
  public boolean schedulerDown;

  public boolean answersLost;

  /** Whether commands are not carried out now, and may be later. */
  public boolean busy;

  /** Whether returns are refused. */
  public boolean refuses;

  /** What repairs are answered instead of being begun; null if they are begun. */
  public @Nullable CommandResult repairsAnswer;

  /** What releases are answered when they have begun; null for what came of them. */
  public @Nullable CommandResult releaseAnswer;

  /** Whether repairs begin and fail. */
  public boolean repairsFail;

  /** Whether repairs are accepted and change nothing. */
  public boolean repairsDoNothing;

  /** Whether jobs may not be ended. */
  public boolean endsRefused;

  /** Jobs that may not be ended. */
  public final Set<String> endRefused = new HashSet<>();

  /** Whether jobs that are ended need minutes for it. */
  public boolean jobsLeaveLate;

  /** Which nodes wait for a person: they are out of service, and not counted as held. */
  public Predicate<FakeNode> handedOver = node -> false;

  /** The node of which a question fails by a bug. */
  public Optional<NodeName> failing = Optional.empty();

  /** Whether disruption budgets keep pods from being evicted. */
  public boolean podsBlocked;

  /** Whether each drain counts as a replacement. */
  public boolean drainReplaces;

  /** What happens while evidence is saved. */
  public Runnable duringEvidence = () -> {};

  /** Nodes n0000 and so on, in groups of twenty and NVLink domains of five. */
  public FakeCluster(int count, Policy policy) {
    limits = new LimitOracle(policy, this);
    for (int i = 0; i < count; i++) {
      NodeName name = new NodeName("n%04d".formatted(i));
      FakeNode node = new FakeNode(name, "group" + i / 20, "domain" + i / 5);
      byIndex.add(node);
      nodes.put(name, node);
      touch(node);
    }
  }

  public Ports ports() {
    return ports(SiteTest.NO_TEST, Optional::empty);
  }

  public Ports ports(SiteTest test, Supplier<Optional<String>> stopped) {
    return new Ports(
        this,
        this,
        this,
        this,
        this,
        state -> {
          duringEvidence.run();
          return new EvidenceStore.NotSaved("there is no disk");
        },
        test,
        this,
        Prices.NONE,
        stopped,
        Set::of);
  }

  public FakeNode node(int index) {
    return byIndex.get(index);
  }

  public FakeNode at(NodeName name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  List<FakeNode> all() {
    return byIndex;
  }

  public List<Job> jobsNow() {
    return jobs.values().stream().map(FakeJob::job).toList();
  }

  private void touch(FakeNode node) {
    NodeState state = node.state();
    changed |= !state.equals(states.put(node.name, state));
    mark(sick, node, node.needs != Remedy.NONE);
    mark(out, node, node.service != Service.IN_SERVICE);
  }

  private static void mark(Set<NodeName> set, FakeNode node, boolean is) {
    if (is) {
      set.add(node.name);
    } else {
      set.remove(node.name);
    }
  }

  /** Breaks a node, so that it needs that; a stronger fault stays. */
  public void breaks(FakeNode node, Remedy remedy) {
    node.needs = node.needs.orStronger(remedy);
    touch(node);
  }

  /** What its agent calls its findings. */
  public void finds(FakeNode node, String... rules) {
    node.rules = Set.of(rules);
  }

  /** Other programs may act on it. */
  public void mayAct(FakeNode node, String... others) {
    node.mayAct = List.of(others);
    touch(node);
  }

  /** A fault that was never reported to the controller ends. */
  public void heals(FakeNode node) {
    node.needs = Remedy.NONE;
    touch(node);
  }

  /** A job that starts on these nodes, those that are out of service or busy excepted. */
  public void runs(String id, List<FakeNode> on, Duration time, boolean reports) {
    Set<NodeName> busy = new HashSet<>();
    jobs.values().forEach(job -> busy.addAll(job.job().nodes()));
    Set<NodeName> free = new HashSet<>();
    for (FakeNode node : on) {
      if (node.service == Service.IN_SERVICE && !busy.contains(node.name)) {
        free.add(node.name);
      }
    }
    if (!free.isEmpty() && !jobs.containsKey(id)) {
      Job job = new Job(id, "ada", free, 8 * free.size());
      jobs.put(id, new FakeJob(job, now, now.plus(time), reports, false));
    }
  }

  /** A job on a node that has others. */
  public void runsBeside(String id, FakeNode node, Duration time) {
    Job job = new Job(id, "ada", Set.of(node.name), 1);
    jobs.put(id, new FakeJob(job, now, now.plus(time), true, false));
  }

  /** A person drains it, or returns it. */
  public void person(FakeNode node, Service service, String reason) {
    node.service = service;
    node.reason = reason;
    touch(node);
  }

  /** Its scheduler powers it down: its machine is gone, with what was wrong with it. */
  public void powersDown(FakeNode node) {
    node.absent = true;
    node.answers = false;
    node.needs = Remedy.NONE;
    node.repair = Optional.empty();
    repairing.remove(node);
    person(node, Service.OUT, node.reason);
    if (node.reason.isEmpty()) {
      mayBeStarted(node);
    }
  }

  private void mayBeStarted(FakeNode node) {
    states.remove(node.name);
    absent.add(node.name);
    out.remove(node.name);
    changed = true;
  }

  /** Its registration is deleted with all marks, and a machine of that name registers. */
  public void registersAnew(FakeNode node) {
    node.registrations++;
    node.leftOver = "";
    person(node, Service.IN_SERVICE, "");
  }

  /** A person takes a part of our marks off, so that it is in service but for the rest. */
  public void uncordons(FakeNode node) {
    node.leftOver = node.reason;
    person(node, Service.IN_SERVICE, "");
  }

  /** Its scheduler knows the id of its boot, and not the time. */
  public void byBootId(FakeNode node) {
    node.byBootId = true;
    touch(node);
  }

  /** These pods without GPUs run on it. */
  public void pods(FakeNode node, String... names) {
    node.pods.addAll(List.of(names));
  }

  /** Evicted pods have ended. */
  public void podsLeave(FakeNode node) {
    node.pods.removeAll(node.endingPods);
  }

  public void answers(FakeNode node, boolean answers) {
    node.answers = answers;
  }

  /** Its network is gone, or its kernel. */
  public void unreachable(FakeNode node, boolean is) {
    node.unreachable = is;
    node.answers = !is;
    touch(node);
  }

  public void maintains(FakeNode node, boolean is) {
    node.maintained = is;
    touch(node);
  }

  public void optsOut(FakeNode node, boolean is) {
    node.optedOut = is;
    touch(node);
  }

  /** The agent sees as many. */
  public void sees(FakeNode node, int gpus) {
    node.gpus = gpus;
  }

  public void serial(FakeNode node, String serial) {
    node.serial = serial;
    touch(node);
  }

  /** Its scheduler takes it for that instance. */
  public void listedAs(FakeNode node, String instance) {
    node.listedAs = Optional.of(instance);
    touch(node);
  }

  /** Deletes it. */
  public void removes(FakeNode node) {
    states.remove(node.name);
    changed = true;
  }

  /** Another program begins or ends its work on it. */
  public void heldBy(FakeNode node, String other) {
    node.heldBy = other;
    touch(node);
  }

  public NodeName name(FakeNode node) {
    return node.name;
  }

  /** In a fixed order, so that a storm can be repeated by its seed. */
  public Set<NodeName> sick() {
    return new TreeSet<>(sick);
  }

  public Service service(FakeNode node) {
    return node.service;
  }

  public String reason(FakeNode node) {
    return node.reason;
  }

  /** Nodes that are out of service, for whatever reason. */
  public Set<NodeName> out() {
    return new TreeSet<>(out);
  }

  /** Nodes out of service for a reason of the controller. */
  public List<FakeNode> held() {
    return out.stream().map(this::at).filter(FakeCluster::ours).toList();
  }

  /** A person deletes its pods. */
  public void endsPods(FakeNode node) {
    node.pods.clear();
  }

  /** Nodes that have a part of our marks. */
  public List<FakeNode> leftOver() {
    return byIndex.stream().filter(node -> !node.leftOver.isEmpty()).toList();
  }

  static boolean ours(FakeNode node) {
    return node.service != Service.IN_SERVICE && node.reason.startsWith("lapwing-drain ");
  }

  public void advance(Duration time) {
    now = now.plus(time);
    for (FakeNode node : List.copyOf(repairing)) {
      if (node.advance(now)) {
        repairing.remove(node);
        touch(node);
      }
    }
    jobs.values().removeIf(job -> !now.isBefore(job.end()));
  }

  @Override
  public Seen view() {
    if (schedulerDown) {
      return new CannotSee("down");
    }
    if (changed) {
      shown = new HashMap<>(states);
      changed = false;
    }
    return new View(new ClusterView(now, shown, jobsNow(), absent));
  }

  /** Whether the view of a round has no jobs. */
  public boolean watchMissesJobs;

  @Override
  public Seen latest() {
    return view() instanceof View view && watchMissesJobs
        ? new View(new ClusterView(now, view.cluster().nodes(), List.of()), false)
        : view();
  }

  @Override
  public List<String> blockers(NodeName node) {
    if (failing.filter(node::equals).isPresent()) {
      throw new IllegalStateException("a bug");
    }
    return List.of();
  }

  @Override
  public CommandResult drain(NodeName name, String reason) {
    if (busy) {
      return new NotYet("busy");
    }
    FakeNode node = at(name);
    if (node.service != Service.IN_SERVICE) {
      return node.reason.equals(reason) ? result() : new Refused("it is " + node.service);
    }
    check(node.needs != Remedy.NONE, "a healthy node is drained: " + name);
    checkMayTouch(node, "drain", true);
    violations.addAll(limits.taking(node));
    commands.add("drain " + name + " " + reason);
    node.service = Service.DRAINED;
    node.reason = reason;
    node.leftOver = "";
    touch(node);
    return result();
  }

  @Override
  public boolean drainReplaces() {
    return drainReplaces;
  }

  @Override
  public CommandResult resume(NodeName name, String reason) {
    if (busy) {
      return new NotYet("busy");
    }
    FakeNode node = at(name);
    if (node.service == Service.IN_SERVICE) {
      return result();
    }
    if (!node.reason.equals(reason)) {
      return new Refused("it is out of service for " + node.reason);
    }
    if (refuses) {
      return new Refused("not permitted");
    }
    check(node.needs == Remedy.NONE, "a sick node is returned: " + name);
    check(node.repair.isEmpty(), "a node is returned while it is repaired: " + name);
    checkMayTouch(node, "resume", false);
    commands.add("resume " + name + " " + reason);
    if (node.absent) {
      mayBeStarted(node);
      return result();
    }
    node.service = Service.IN_SERVICE;
    node.reason = "";
    touch(node);
    return result();
  }

  @Override
  public CommandResult letGo(NodeName name, String reason) {
    if (busy) {
      return new NotYet("busy");
    }
    FakeNode node = at(name);
    if (node.leftOver.isEmpty() && !node.reason.equals(reason)) {
      return CommandResult.ACCEPTED; // an answer was lost
    }
    check(node.leftOver.equals(reason), "the taint of another user is removed: " + name);
    commands.add("let_go " + name + " " + reason);
    node.leftOver = "";
    touch(node);
    return result();
  }

  @Override
  public List<Other> others(NodeName name) {
    FakeNode node = at(name);
    return node.pods.stream().map(pod -> new Other(pod, ends(node, pod))).toList();
  }

  private static Optional<Instant> ends(FakeNode node, String pod) {
    return node.endingPods.contains(pod) ? Optional.of(Instant.EPOCH) : Optional.empty();
  }

  @Override
  public CommandResult evictOthers(NodeName name, Instant before) {
    FakeNode node = at(name);
    check(ours(node), "pods of somebody else's node are evicted: " + name);
    checkMayTouch(node, "evict", true);
    commands.add("evict " + name + " " + node.reason);
    if (podsBlocked) {
      return new NotYet("its budget");
    }
    node.endingPods.addAll(node.pods);
    return result();
  }

  @Override
  public CommandResult begin(Repair repair) {
    repairs.add(repair);
    if (busy) {
      return new NotYet("busy");
    }
    if (repairsAnswer != null) {
      return repairsAnswer;
    }
    FakeNode node = at(repair.node().name());
    Remedy remedy = repair.remedy();
    String reason = repair.reason();
    String command = remedy.word() + " " + node.name + " " + reason;
    check(done.add(command), "done twice: " + command);
    check(
        node.reason.equals(reason),
        "a node of somebody else is repaired: " + command + ": " + node.reason);
    check(
        jobs.values().stream().noneMatch(job -> job.job().nodes().contains(node.name)),
        "a node with a job is repaired: " + command);
    check(
        remedy != Remedy.RESET_GPU || node.released(now),
        "GPUs are reset that the agent has open: " + command);
    check(
        remedy == Remedy.RESET_GPU || node.endingPods.containsAll(node.pods),
        "a node is rebooted under a pod that was not evicted: " + command);
    checkMayTouch(node, command, true);
    if (remedy == Remedy.REPLACE_NODE) {
      violations.addAll(limits.replacing());
    }
    commands.add(command);
    if (repairsFail || repairsDoNothing) {
      return result();
    }
    node.repair = Optional.of(remedy);
    node.repaired = now.plus(REPAIR);
    repairing.add(node);
    touch(node);
    return result();
  }

  @Override
  public Progress progress(Remedy remedy, NodeState state, String reason) {
    if (repairsFail) {
      return Progress.FAILED;
    }
    return at(state.name()).repair.isPresent() ? Progress.RUNNING : Progress.UNKNOWN;
  }

  @Override
  public CommandResult end(Job job, NodeName because, String reason) {
    FakeJob running = jobs.get(job.id());
    if (running == null) {
      return new Refused("there is no such job");
    }
    if (endsRefused || endRefused.contains(job.id())) {
      return new Refused("a disruption budget");
    }
    String command = "end " + job.id() + " " + reason;
    check(!running.ended(), "done twice: " + command);
    boolean ours =
        running.job().nodes().stream().map(this::at).anyMatch(node -> node.reason.equals(reason));
    check(ours, "a job is ended that is on none of our nodes: " + command);
    violations.addAll(limits.ending(job));
    commands.add(command);
    if (jobsLeaveLate) {
      jobs.put(job.id(), running.leaves(now.plus(KILL)));
    } else {
      jobs.remove(job.id());
    }
    return result();
  }

  @Override
  public GpuRelease.State state(NodeName name) {
    FakeNode node = at(name);
    if (!node.answers || repairs(node, Remedy.REBOOT_NODE)) {
      return State.UNKNOWN;
    }
    if (node.released(now)) {
      return State.RELEASED;
    }
    return now.isBefore(node.releasedUntil) ? State.CLOSING : State.OPEN;
  }

  private static boolean repairs(FakeNode node, Remedy atLeast) {
    return node.repair.filter(remedy -> remedy.compareTo(atLeast) >= 0).isPresent();
  }

  @Override
  public CommandResult release(NodeName name, Duration time) {
    FakeNode node = at(name);
    check(ours(node), "the GPUs of somebody else's node are released: " + name);
    if (releaseAnswer instanceof NotYet) {
      return releaseAnswer;
    }
    if (!node.answers) {
      return new Unclear("no answer");
    }
    node.released = now.plus(CLOSING);
    node.releasedUntil = now.plus(time);
    return releaseAnswer == null ? result() : releaseAnswer;
  }

  @Override
  public CommandResult end(NodeName name) {
    at(name).releasedUntil = Instant.MIN;
    return result();
  }

  @Override
  public JobProgress of(Job job) {
    FakeJob running = jobs.get(job.id());
    return running == null ? JobProgress.UNKNOWN : running.progress(now);
  }

  @Override
  public Answer ask(NodeName name) {
    FakeNode node = at(name);
    return node.answers && node.repair.isEmpty()
        ? new Answered(node.health(now))
        : new Silent("connection refused");
  }

  private void checkMayTouch(FakeNode node, String command, boolean harm) {
    check(node.heldBy.isEmpty(), node.heldBy + " is at work on the node: " + command);
    check(!harm || !node.optedOut, "a node that opted out: " + command);
  }

  private void check(boolean fine, String otherwise) {
    if (!fine) {
      violations.add(otherwise);
    }
  }

  private CommandResult result() {
    return answersLost ? new Unclear("no answer") : CommandResult.ACCEPTED;
  }
}
