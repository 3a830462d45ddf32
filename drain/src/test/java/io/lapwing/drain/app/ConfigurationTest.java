package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ResolvedOptions;
import io.lapwing.drain.app.Configuration.Invocation;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs.Repair;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.intake.NodeDirectory;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.slurm.SlurmPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationTest {

  @TempDir private Path dir;

  private static Configuration read(Map<String, String> environment, String... args)
      throws ConfigException {
    return ((Invocation.Run)
            Configuration.read(List.of(args), environment, ParallelClusterHost.NONE))
        .configuration();
  }

  private static List<String> problems(String... args) {
    return catchThrowableOfType(ConfigException.class, () -> read(Map.of(), args)).problems();
  }

  private static Invocation.Check check(Map<String, String> environment, String... args)
      throws ConfigException {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--check-config");
    return (Invocation.Check) Configuration.read(all, environment, ParallelClusterHost.NONE);
  }

  @Test
  void withoutAnySettingThePolicyIsTheDefaultAndNothingIsDone() throws ConfigException {
    Policy policy = read(Map.of()).settings().policy();

    assertThat(policy.budget()).isEqualTo(Policy.DEFAULT.budget());
    assertThat(policy.waits()).isEqualTo(Policy.DEFAULT.waits());
    assertThat(policy.guard()).isEqualTo(Policy.DEFAULT.guard());
    assertThat(policy.ladder()).isEqualTo(Policy.DEFAULT.ladder());
    for (Verb verb : Verb.values()) {
      assertThat(policy.mode(verb)).as(verb.word()).isEqualTo(Mode.DRY_RUN);
      assertThat(policy.deadline(verb)).isEqualTo(Policy.DEFAULT.deadline(verb));
    }
    assertThat(policy.freshness()).isEqualTo(Policy.DEFAULT.freshness());
    assertThat(policy.healthyFor()).isEqualTo(Policy.DEFAULT.healthyFor());
    assertThat(policy.simulated()).isFalse();
  }

  @Test
  void aFlagOverridesAVariableAndAVariableTheFile() throws Exception {
    Path file = dir.resolve("drain.yml");
    Files.writeString(
        file, "mode: {drain: act, reset: act}\nbudget.nodes: 3\nbudget: {per-hour: 4}\n");

    Policy policy =
        read(
                Map.of("LAPWING_DRAIN_MODE_RESET", "observe", "LAPWING_DRAIN_BUDGET_NODES", "2"),
                "--config.file=" + file,
                "--budget.nodes=1")
            .settings()
            .policy();

    assertThat(policy.mode(Verb.DRAIN)).isEqualTo(Mode.ACT);
    assertThat(policy.mode(Verb.RESET)).isEqualTo(Mode.OBSERVE);
    assertThat(policy.budget().nodes()).isEqualTo(1);
    assertThat(policy.budget().perHour()).isEqualTo(4);
  }

  @Test
  void everyProblemIsReportedWithItsPlace() throws Exception {
    Path file = dir.resolve("drain.yml");
    Files.writeString(file, "mode:\n  drian: act\nbudget:\n  share: 7\n");

    assertThat(problems("--config.file=" + file, "--repairs.reboot=slurm", "--interval=0s"))
        .containsExactlyInAnyOrder(
            file + ":2: mode.drian: unknown key; did you mean mode.drain?",
            file + ":4: budget.share: '7' is not a share above 0 and up to 1, such as 0.1",
            "flag --repairs.reboot: needs --scheduler=slurm",
            "flag --interval: '0s' is zero; use a duration such as 500ms, 5s or 1m");
  }

  @Test
  void driversThatDoNotFitAreRefused() {
    assertThat(problems("--repairs.reset=ec2", "--aws.region=us-east-1"))
        .containsExactly("flag --repairs.reset: is not none or exec:/PATH");
    assertThat(problems("--repairs.replace=ec2"))
        .containsExactly("flag --repairs.replace: needs --aws.region");
    assertThat(problems("--repairs.reset=exec:reset.sh").get(0)).contains("has no absolute path");
    assertThat(problems("--release.program=release.sh", "--test.program=test.sh"))
        .hasSize(2)
        .allMatch(problem -> problem.contains("is not an absolute path"));
    assertThat(problems("--kubernetes.lease=a/b/c"))
        .containsExactly(
            "flag --kubernetes.lease: 'a/b/c' is neither off nor a name such as lapwing-drain or"
                + " monitoring/drain");
    assertThat(problems("--slurm.rest=slurm1:6820"))
        .containsExactly(
            "flag --slurm.rest: 'slurm1:6820' is not an address such as http://slurm1:6820 or"
                + " unix:/PATH");
    assertThat(problems("--slurm.rest=unix:/a", "--slurm.token-file=/b"))
        .containsExactly("flag --slurm.rest: needs --scheduler=slurm");
    assertThat(problems("--slurm.token-file=/b"))
        .containsExactly("flag --slurm.token-file: needs --slurm.rest");
    assertThat(
            problems(
                "--scheduler=slurm", "--slurm.rest=http://slurm1:6820", "--repairs.reboot=slurm"))
        .containsExactly(
            "flag --repairs.reboot: needs Slurm's programs, which --slurm.rest replaces");
    assertThat(problems("--wait.always=xid_79"))
        .containsExactly("flag --wait.always: xid_79 is in wait.never, too");
  }

  private List<String> onParallelCluster(String... args) throws Exception {
    ParallelClusterHost head =
        new ParallelClusterHost(List.of(dir.resolve("none"), Files.createTempDirectory(dir, "pc")));
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--check-config");
    all.add("--path.state=" + dir);
    all.add("--slurm.rest=unix:/run/slurmrestd/slurmrestd.sock");
    String folder = head.found().orElseThrow().toString();
    return ((Invocation.Check) Configuration.read(all, Map.of(), head))
        .problems().stream().map(one -> one.replace(folder, "FOLDER")).toList();
  }

  @Test
  void onAMachineOfParallelClusterADrainIsNotSetToActWithoutTheReplacementThatFollows()
      throws Exception {
    assertThat(onParallelCluster("--scheduler=slurm", "--mode.drain=act"))
        .containsExactly(
            "flag --mode.drain: act needs --mode.replace=act on ParallelCluster (FOLDER exists on"
                + " this machine): its clustermgtd terminates every drained node as soon as it is"
                + " idle");
    assertThat(onParallelCluster("--scheduler=slurm", "--mode.drain=act", "--mode.replace=act"))
        .isEmpty();
    assertThat(onParallelCluster("--scheduler=slurm", "--mode.drain=dry-run")).isEmpty();
  }

  @Test
  void withADriverOfParallelClusterTheSameCountsOnEveryMachineAndNoRebootIsLeftToSlurm() {
    assertThat(
            problems(
                "--scheduler=slurm",
                "--repairs.replace=parallelcluster",
                "--repairs.reboot=slurm",
                "--mode.drain=act"))
        .containsExactlyInAnyOrder(
            "flag --mode.drain: act needs --mode.replace=act on ParallelCluster (a driver of repairs"
                + " is parallelcluster): its clustermgtd terminates every drained node as soon as"
                + " it is idle",
            "flag --repairs.reboot: slurm is not possible on ParallelCluster (a driver of repairs"
                + " is parallelcluster): the node is down after the reboot, and clustermgtd"
                + " replaces nodes that are down");
  }

  @Test
  void whoRunsTheNodesFollowsFromTheMachineOrTheDriver() throws Exception {
    ParallelClusterHost head = new ParallelClusterHost(List.of(dir));
    String[] slurm = {"--scheduler=slurm", "--slurm.rest=unix:/a"};

    assertThat(Drivers.of(read(Map.of(), slurm).settings(), head).platform())
        .isEqualTo(SlurmPlatform.PARALLEL_CLUSTER);
    assertThat(Drivers.of(read(Map.of(), slurm).settings(), ParallelClusterHost.NONE).platform())
        .isEqualTo(SlurmPlatform.SLURM);
    assertThat(
            new WatchedCluster(
                    Drivers.of(read(Map.of(), slurm).settings(), head).scheduler(),
                    new NodeDirectory())
                .drainReplaces())
        .isTrue();
    assertThat(Drivers.of(read(Map.of(), slurm).settings(), head).platformText(head).orElseThrow())
        .isEqualTo("ParallelCluster: " + dir + " exists on this machine");
  }

  /** Each node would be handed over to a person otherwise, and be replaced all the same. */
  @Test
  void onParallelClusterADrainedNodeIsReplacedWithoutADriver() throws Exception {
    ParallelClusterHost head = new ParallelClusterHost(List.of(dir));
    String reason = "lapwing-drain 1-1";
    NodeState node =
        new NodeState(
            new NodeName("n1"),
            NodeState.Service.DRAINED,
            reason,
            "",
            Set.of(),
            true,
            "",
            Optional.empty(),
            8);
    Repair replace = new Repair(Remedy.REPLACE_NODE, node, reason, "xid_79");
    DrainSettings settings = read(Map.of(), "--scheduler=slurm", "--slurm.rest=unix:/a").settings();

    assertThat(Drivers.of(settings, head).repairs().begin(replace))
        .isEqualTo(CommandResult.ACCEPTED);
    assertThat(Drivers.of(settings, ParallelClusterHost.NONE).repairs().begin(replace))
        .isInstanceOf(CommandResult.NotPossible.class);
  }

  @Test
  void theCheckReadsEveryFileThatIsNamed() throws Exception {
    Path bad = Files.writeString(dir.resolve("bad"), "no colon, no price\n");
    assertThat(
            check(
                    Map.of(),
                    "--prices.file=" + bad,
                    "--agent.login-file=" + bad,
                    "--scheduler=slurm",
                    "--slurm.folder=" + dir,
                    "--slurm.conf=" + dir.resolve("none"),
                    "--path.state=" + bad.resolve("state"),
                    "--repairs.reboot=exec:" + dir.resolve("none"),
                    "--test.program=" + dir)
                .problems())
        .containsExactly(
            "prices.file: "
                + bad
                + ":1: needs an instance type, a comma and a positive price, once",
            "agent.login-file: " + bad + ": not user:password",
            "slurm.conf: " + dir.resolve("none") + " cannot be read: no such file or directory",
            "scheduler: scontrol and squeue are in none of [" + dir + "]",
            "path.state: " + bad.resolve("state") + " is not a directory",
            "repairs.reboot: " + dir.resolve("none") + " cannot be read: no such file or directory",
            "test.program: " + dir + " is not an executable file");
  }

  @Test
  void theCheckShowsWhereEachValueWasSet() throws ConfigException {
    Invocation.Check check =
        check(
            Map.of("LAPWING_DRAIN_MODE_DRAIN", "act"),
            "--path.state=" + dir.resolve("a/b"),
            "--agent.poll=30s");

    assertThat(check.problems()).isEmpty();
    assertThat(check.warnings()).isEmpty();
    assertThat(check.summary())
        .startsWith("the configuration is valid\n")
        .contains("mode.drain = act  (environment LAPWING_DRAIN_MODE_DRAIN)");
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void theCheckShowsVariablesThatAreNoOptions() throws ConfigException {
    Invocation.Check check =
        check(Map.of("LAPWING_DRAIN_MODE_DRIAN", "act"), "--path.state=" + dir, "--agent.poll=30s");

    assertThat(check.problems()).isEmpty();
    assertThat(check.warnings())
        .containsExactly(
            "environment LAPWING_DRAIN_MODE_DRIAN: unknown; did you mean LAPWING_DRAIN_MODE_DRAIN?");
  }

  @Test
  void theCheckWarnsOfRepairsWithoutADriver() throws ConfigException {
    assertThat(check(Map.of(), "--mode.reboot=act", "--agent.poll=30s").warnings())
        .containsExactly(
            "mode.reboot is act without a driver (repairs.reboot): a node that needs it gets the"
                + " next stronger repair at once");
    assertThat(
            check(
                    Map.of(),
                    "--mode.reboot=act",
                    "--repairs.reboot=exec:/bin/true",
                    "--agent.poll=30s")
                .warnings())
        .isEmpty();
  }

  @Test
  void theCheckWarnsThatNothingReachesTheController() throws ConfigException {
    assertThat(check(Map.of()).warnings())
        .singleElement()
        .asString()
        .startsWith("no fault reaches the controller: set agent.poll, ");
  }

  @Test
  void theCheckRefusesAStateDirectoryThatCannotBeMade() throws ConfigException {
    assertThat(check(Map.of(), "--path.state=/proc/x").problems())
        .singleElement()
        .asString()
        .startsWith("path.state: /proc/x cannot be written by this user: ");
  }

  @Test
  void aReloadKeepsWhatTakesARestart() throws ConfigException {
    Configuration before = read(Map.of(), "--mode.drain=dry-run", "--scheduler=none");
    Configuration next = read(Map.of(), "--mode.drain=act", "--scheduler=kubernetes");

    ResolvedOptions.Reloaded reloaded = before.options().with(next.options(), Set.of());

    assertThat(reloaded.changes())
        .extracting(change -> change.key() + " " + change.from() + " " + change.to())
        .containsExactly("mode.drain dry-run act");
    assertThat(reloaded.waiting()).extracting("key").containsExactly("scheduler");
    assertThat(reloaded.options().values().get(DrainOptions.SCHEDULER))
        .isEqualTo(DrainOptions.SchedulerKind.NONE);
  }

  /** Drivers take a restart: a mode that acted without its driver would go on to a replacement. */
  @Test
  void aReloadLetsNoModeActWhoseDriverIsNotThereYet() throws ConfigException {
    Configuration before = read(Map.of(), "--mode.reset=act", "--repairs.reset=exec:/bin/true");
    Configuration next =
        read(
            Map.of(), "--mode.reboot=act", "--repairs.reboot=exec:/bin/true", "--mode.replace=act");

    Set<String> held = before.heldFor(next, ParallelClusterHost.NONE);
    ResolvedOptions.Reloaded reloaded = before.options().with(next.options(), held);

    assertThat(held).containsExactly("mode.reboot");
    assertThat(reloaded.options().values().get(DrainOptions.MODE_REBOOT)).isEqualTo(Mode.DRY_RUN);
    assertThat(reloaded.options().values().get(DrainOptions.MODE_REPLACE)).isEqualTo(Mode.ACT);
    assertThat(reloaded.options().values().get(DrainOptions.MODE_RESET))
        .as("less than before needs no driver")
        .isEqualTo(Mode.DRY_RUN);
    assertThat(reloaded.waiting()).extracting("key").contains("mode.reboot", "repairs.reboot");
  }

  /** A drained node is replaced there, which the configuration is refused for otherwise. */
  @Test
  void aReloadOnParallelClusterHoldsTheDrainBackWithTheReplacement() throws ConfigException {
    ParallelClusterHost head = new ParallelClusterHost(List.of(dir));
    Configuration before = read(Map.of(), "--scheduler=slurm");
    Configuration next =
        read(
            Map.of(),
            "--scheduler=slurm",
            "--mode.drain=act",
            "--mode.replace=act",
            "--repairs.replace=parallelcluster");

    assertThat(before.heldFor(next, head)).containsExactlyInAnyOrder("mode.drain", "mode.replace");
    assertThat(
            next.heldFor(
                read(
                    Map.of(),
                    "--scheduler=slurm",
                    "--mode.drain=dry-run",
                    "--mode.replace=act",
                    "--repairs.replace=exec:/bin/true"),
                head))
        .as("a mode that is lowered is applied")
        .containsExactly("mode.replace");
  }

  /** The driver that is in effect makes the platform, until a restart. */
  @Test
  void aReloadThatLeavesParallelClusterHoldsTheDrainBackToo() throws ConfigException {
    Configuration before = read(Map.of(), "--scheduler=slurm", "--repairs.replace=parallelcluster");
    Configuration next =
        read(
            Map.of(),
            "--scheduler=slurm",
            "--mode.drain=act",
            "--mode.replace=act",
            "--aws.region=us-east-1",
            "--repairs.replace=ec2");
    assertThat(before.heldFor(next, ParallelClusterHost.NONE))
        .containsExactlyInAnyOrder("mode.drain", "mode.replace");
  }

  /** The timeout takes a restart, and its repair would be over its time meanwhile. */
  @Test
  void aReloadLeavesNoRepairLessTimeThanItsProgramHas() throws ConfigException {
    String[] program = {"--repairs.reset=exec:/bin/true", "--policy.reset-within=30m"};
    Configuration before = read(Map.of(), program[0], program[1], "--repairs.timeout=15m");
    Configuration next =
        read(Map.of(), program[0], "--policy.reset-within=10m", "--repairs.timeout=5m");
    assertThat(before.heldFor(next, ParallelClusterHost.NONE))
        .containsExactly("policy.reset-within");
    assertThat(
            before.heldFor(
                read(Map.of(), program[0], "--policy.reset-within=15m", "--repairs.timeout=5m"),
                ParallelClusterHost.NONE))
        .isEmpty();
  }

  /** The program may end at its very end, and the node is not healthy for long enough by then. */
  @Test
  void aRepairWithoutTimeToBeHealthyIsWarnedOf() throws ConfigException {
    List<String> args = List.of("--repairs.reset=exec:/bin/true", "--agent.poll=30s");
    assertThat(check(Map.of(), args.get(0), args.get(1), "--repairs.timeout=16m").warnings())
        .containsExactly(
            "repairs.timeout (16m) and policy.healthy-for (5m) are longer than policy.reset-within"
                + " (20m): the time of a repair that helps late is over before the node is"
                + " returned");
    assertThat(check(Map.of(), args.get(0), args.get(1), "--repairs.timeout=15m").warnings())
        .isEmpty();
  }

  /** Its time would be over before it is known to have begun, and a stronger one follow. */
  @Test
  void aProgramOfARepairHasNoMoreTimeThanTheRepair() throws ConfigException {
    assertThat(
            problems(
                "--repairs.reboot=exec:/bin/true",
                "--repairs.timeout=40m",
                "--policy.reset-within=10m"))
        .containsExactly(
            "flag --repairs.timeout: 40m is longer than policy.reboot-within, which is 30m");
    assertThat(
            read(Map.of(), "--repairs.reboot=exec:/bin/true", "--repairs.timeout=30m").warnings())
        .isEmpty();
  }

  @Test
  void theLoginOfAgentsIsInOneFile() {
    assertThat(problems("--agent.login-file=/a", "--agent.http.config.file=/b"))
        .containsExactly(
            "flag --agent.login-file: cannot be set with agent.http.config.file: write it there as"
                + " basic_auth");
  }

  @Test
  void theFileForAgentsIsChecked() throws IOException, ConfigException {
    Path file = Files.writeString(dir.resolve("agents.yml"), "tls_config: {ca_file: none.crt}\n");
    assertThat(
            check(Map.of(), "--path.state=" + dir, "--agent.http.config.file=" + file).problems())
        .singleElement()
        .asString()
        .contains("none.crt");
  }

  @Test
  void aReplacementWithoutADriverIsHandedOver() throws ConfigException {
    assertThat(check(Map.of(), "--mode.replace=act", "--agent.poll=30s").warnings())
        .containsExactly(
            "mode.replace is act without a driver (repairs.replace): a node that needs it is handed"
                + " over to a person");
  }

  @Test
  void windowsAreReadWithTheirVerbs() throws ConfigException {
    Policy policy =
        read(
                Map.of(),
                "--guard.windows=fri-mon 22:00-06:00 Europe/Berlin refuse reboot/end_job",
                "--guard.windows=wed 08:00-18:00 UTC permit")
            .settings()
            .policy();

    assertThat(policy.guard().windows()).hasSize(2);
    assertThat(policy.guard().windows().get(0).days()).hasSize(4);
    assertThat(policy.guard().windows().get(0).verbs())
        .containsExactlyInAnyOrder(Verb.REBOOT, Verb.END_JOB);
    assertThat(policy.guard().windows().get(1).refuses()).isFalse();
    assertThat(problems("--guard.windows=someday 08:00-18:00 UTC permit").get(0))
        .contains("has 'someday 08:00-18:00 UTC permit', which is not a window");
  }
}
