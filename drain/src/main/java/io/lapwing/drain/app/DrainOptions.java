package io.lapwing.drain.app;

import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.config.Option;
import io.lapwing.common.config.OptionTable;
import io.lapwing.common.config.ValueType;
import io.lapwing.common.log.LogFormat;
import io.lapwing.common.log.LogLevel;
import io.lapwing.drain.app.DrainValueTypes.DomainSource;
import io.lapwing.drain.app.DrainValueTypes.LeaseName;
import io.lapwing.drain.app.DrainValueTypes.RepairDriver;
import io.lapwing.drain.app.DrainValueTypes.RestAddress;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.aws.TopicArn;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Window;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The only source of flags, variables, file keys and {@code docs/drain-configuration.md}. */
final class DrainOptions {
  static final String PREFIX = "LAPWING_DRAIN_";

  /** Filled by the declarations below, in their order. */
  private static final List<Option<?>> DECLARED = new ArrayList<>();

  /** Who places work on the nodes. */
  enum SchedulerKind {
    NONE,
    SLURM,
    KUBERNETES;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static final Option<Optional<Path>> CONFIG_FILE =
      fixed("config.file", ValueType.READABLE_FILE, "")
          .help("YAML configuration file; its keys are the option names.");
  static final Option<Duration> INTERVAL =
      reloadable("interval", ValueType.DURATION, "5s")
          .help(
              "Time between two rounds; longer after a long one, by up to 30s. A request begins one at"
                  + " once.");
  static final Option<Optional<Duration>> QUEUE_INTERVAL =
      fixed("queue.interval", DrainValueTypes.INTERVAL_OR_OFF, "1m")
          .help("Time between two readings of the jobs that wait.");
  static final Option<Path> STATE =
      fixed("path.state", ValueType.DIRECTORY, "/var/lib/lapwing-drain")
          .help("Directory of the journal, of the kill switch and of evidence.");
  static final Option<SchedulerKind> SCHEDULER =
      fixed("scheduler", ValueType.oneOf(SchedulerKind.class), "none")
          .help("Scheduler of the cluster. With none, the controller sees no nodes.");
  static final Option<Optional<Path>> SLURM_FOLDER =
      fixed("slurm.folder", ValueType.OPTIONAL_DIRECTORY, "")
          .help("Folder of scontrol and squeue. If empty, the usual ones are searched.");
  static final Option<Optional<Path>> SLURM_CONF =
      fixed("slurm.conf", ValueType.OPTIONAL_FILE, "")
          .help("SLURM_CONF of scontrol and squeue. If empty, their default.");
  static final Option<Duration> SLURM_TIMEOUT =
      fixed("slurm.timeout", ValueType.DURATION, "10s")
          .help("Time after which scontrol, squeue or slurmrestd counts as silent.");
  static final Option<Optional<RestAddress>> SLURM_REST =
      fixed("slurm.rest", DrainValueTypes.REST, "")
          .help(
              "slurmrestd to ask instead of scontrol and squeue, such as http://slurm1:6820 or"
                  + " unix:/run/slurmrestd/slurmrestd.sock. If empty, none.");
  static final Option<Optional<Path>> SLURM_TOKEN =
      fixed("slurm.token-file", ValueType.OPTIONAL_FILE, "")
          .help("File with a JSON Web Token for slurmrestd; read for each request.");
  static final Option<DomainSource> NVLINK_DOMAINS =
      fixed("slurm.nvlink-domains", DrainValueTypes.DOMAINS, "blocks")
          .help(
              "Which nodes share an NVLink fabric: blocks (of topology/block), feature:PREFIX (the"
                  + " feature of a node that begins so) or none. slurmrestd does not show blocks.");
  static final Option<Optional<LeaseName>> LEASE =
      fixed("kubernetes.lease", DrainValueTypes.LEASE, "lapwing-drain")
          .help(
              "Lease without which the controller of a Kubernetes cluster does nothing, so that of"
                  + " several one acts. Without a namespace in that of the pod.");
  static final Option<Set<String>> PERMANENT_TAINTS =
      fixed("kubernetes.permanent-taints", DrainValueTypes.WORDS, "")
          .help(
              "Keys of taints that nodes have for good, such as dedicated. With any other taint of a"
                  + " person or program, a node counts as taken by them. Repeatable.");
  static final Option<RepairDriver> RESET =
      fixed("repairs.reset", DrainValueTypes.REPAIR_DRIVER, "none")
          .help("What resets GPUs: none or exec:/PATH.");
  static final Option<RepairDriver> REBOOT =
      fixed("repairs.reboot", DrainValueTypes.REPAIR_DRIVER, "none")
          .help("What reboots a node: none, slurm, hyperpod, ec2 or exec:/PATH.");
  static final Option<RepairDriver> REPLACE =
      fixed("repairs.replace", DrainValueTypes.REPAIR_DRIVER, "none")
          .help(
              "What replaces a node: none, slurm (power-down), parallelcluster, hyperpod, ec2 or"
                  + " exec:/PATH.");
  static final Option<Duration> REPAIR_TIMEOUT =
      fixed("repairs.timeout", ValueType.DURATION, "1m")
          .help(
              "Time after which it is unclear whether a program of exec began the repair. Not longer"
                  + " than its policy.*-within.");
  static final Option<Optional<Path>> RELEASE_PROGRAM =
      fixed("release.program", DrainValueTypes.PROGRAM, "")
          .help("Program that has a node's agent close the GPUs before a reset. If empty, none.");
  static final Option<Optional<Path>> TEST_PROGRAM =
      fixed("test.program", DrainValueTypes.PROGRAM, "")
          .help("Program that tries a repaired node before it is returned. If empty, none.");
  static final Option<Duration> TEST_TIMEOUT =
      fixed("test.timeout", ValueType.DURATION, "30m")
          .help("Time after which that test is stopped: it says nothing about the node then.");
  static final Option<String> AWS_REGION =
      fixed("aws.region", ValueType.TEXT, "")
          .help("Region of EC2, HyperPod and SQS, such as us-east-1.");
  static final Option<String> HYPERPOD_CLUSTER =
      fixed("hyperpod.cluster", ValueType.TEXT, "")
          .help("Name of the HyperPod cluster, where its API repairs (Kubernetes).");
  static final Option<String> AGENT_ADDRESS =
      fixed("agent.address", DrainValueTypes.AGENT_ADDRESS, "http://{node}:9754")
          .help("Address of a node's agent; {node} is its name in the scheduler.");
  static final Option<Duration> AGENT_TIMEOUT =
      fixed("agent.timeout", ValueType.DURATION, "3s")
          .help("Time after which an agent counts as silent.");
  static final Option<Optional<Path>> AGENT_LOGIN =
      fixed("agent.login-file", ValueType.OPTIONAL_FILE, "")
          .help("File with user:password for the agents.");
  static final Option<Optional<Path>> AGENT_HTTP_CONFIG =
      fixed("agent.http.config.file", ValueType.OPTIONAL_FILE, "")
          .help(
              "File with tls_config and basic_auth for the agents, as promtool's --http.config.file."
                  + " If empty, the authorities that Java trusts.");
  static final Option<Optional<Duration>> AGENT_POLL =
      fixed("agent.poll", DrainValueTypes.INTERVAL_OR_OFF, "off")
          .help("Interval in which all agents are asked. It needs no Alertmanager.");
  static final Option<Set<String>> CLUSTERS =
      fixed("alerts.clusters", DrainValueTypes.WORDS, "")
          .help("Values of the label cluster that are this cluster. Repeatable; empty takes all.");
  static final Option<Urgency> DEFAULT_URGENCY =
      fixed("alerts.urgency", DrainValueTypes.URGENCY, "job_end")
          .help("Urgency of alerts that have none.");
  static final Option<List<TopicArn>> SNS_TOPICS =
      fixed("sns.topics", DrainValueTypes.TOPICS, "")
          .help("Topics whose signed messages are taken at /api/v1/sns. Repeatable.");
  static final Option<Optional<URI>> SQS_QUEUE =
      fixed("sqs.queue", DrainValueTypes.HTTPS, "")
          .help("URL of a queue of SQS with alerts. If empty, none.");

  static final Option<Mode> MODE_DRAIN = mode("drain", "draining a node");
  static final Option<Mode> MODE_END_JOB =
      mode("end-job", "ending a job on a drained node, where its scheduler starts it again");
  static final Option<Mode> MODE_RESET = mode("reset", "resetting GPUs");
  static final Option<Mode> MODE_REBOOT = mode("reboot", "rebooting a node");
  static final Option<Mode> MODE_REPLACE = mode("replace", "replacing a node");

  static final Option<Integer> NODES =
      reloadable("budget.nodes", DrainValueTypes.POSITIVE, "5")
          .help(
              "Nodes that the controller holds at a time, without those handed over to a person.");
  static final Option<Double> SHARE_OF_ALL =
      reloadable("budget.share", DrainValueTypes.SHARE, "0.1")
          .help(
              "Share of all nodes that may be out of service, whoever took them; at least one node.");
  static final Option<Double> SHARE_OF_GROUP =
      reloadable("budget.group-share", DrainValueTypes.SHARE, "0.2")
          .help("The same of a partition or node group; at least one node.");
  static final Option<Integer> NODES_OF_JOB =
      reloadable("budget.job-nodes", DrainValueTypes.POSITIVE, "4")
          .help("Nodes of one job that may be out of service.");
  static final Option<Integer> NODES_OF_DOMAIN =
      reloadable("budget.domain-nodes", DrainValueTypes.POSITIVE, "2")
          .help(
              "Nodes of one NVLink domain that may be out of service; on Slurm by"
                  + " slurm.nvlink-domains.");
  static final Option<Integer> PER_HOUR =
      reloadable("budget.per-hour", DrainValueTypes.POSITIVE, "10")
          .help("Nodes taken within an hour.");
  static final Option<Integer> REPLACEMENTS_PER_HOUR =
      reloadable("budget.replacements-per-hour", DrainValueTypes.POSITIVE, "2")
          .help("Replacements begun within an hour; on ParallelCluster each drain is one.");
  static final Option<Duration> GAP =
      reloadable("budget.gap", ValueType.DURATION, "30s")
          .help("Least time between two nodes taken.");
  static final Option<Integer> SYSTEMIC_NODES =
      reloadable("budget.systemic-nodes", DrainValueTypes.POSITIVE, "4")
          .help(
              "Nodes with findings of the same rule that began at once, at which nothing is done for it"
                  + " but returns.");
  static final Option<Duration> SYSTEMIC_WITHIN =
      reloadable("budget.systemic-within", ValueType.DURATION, "10m")
          .help("Time within which these nodes count as at once.");
  static final Option<Duration> COOL_DOWN =
      reloadable("budget.cool-down", ValueType.DURATION, "30m")
          .help("Time for which no node is taken for a rule after that.");
  static final Option<Duration> FRESHNESS =
      reloadable("policy.freshness", ValueType.DURATION, "2m")
          .help("Greatest age of an agent's verdict on which something is done.");
  static final Option<Duration> HEALTHY_FOR =
      reloadable("policy.healthy-for", ValueType.DURATION, "5m")
          .help("Time for which a node has to be healthy before it is returned.");
  static final Option<Duration> JOBS_LEAVE_WITHIN =
      reloadable("policy.jobs-leave-within", ValueType.DURATION, "1d")
          .help("Time after which the jobs of a drained node are reported as overdue.");
  static final Option<Duration> PODS_LEAVE_WITHIN =
      reloadable("policy.pods-leave-within", ValueType.DURATION, "30m")
          .help(
              "Time for which pods without GPUs are evicted before a reboot or a replacement; those"
                  + " that stay are then reported as overdue. Kubernetes only.");
  static final Option<Duration> RESET_WITHIN = within("reset", "20m");
  static final Option<Duration> REBOOT_WITHIN = within("reboot", "30m");
  static final Option<Duration> REPLACE_WITHIN = within("replace", "1h");
  static final Option<Boolean> SIMULATED =
      reloadable("policy.simulated", ValueType.BOOLEAN, "false")
          .help("Act on nodes with simulated GPUs, for trials. Otherwise nothing is done to them.");

  static final Option<Duration> WAIT_MOST =
      reloadable("wait.most", ValueType.DURATION, "2h")
          .help("Longest wait for a checkpoint of a job on a drained node.");
  static final Option<Duration> WAIT_RESTART =
      reloadable("wait.restart", ValueType.DURATION, "10m")
          .help("Time that a job needs to train again after it was ended.");
  static final Option<Integer> WAIT_STALLED_STEPS =
      reloadable("wait.stalled-steps", DrainValueTypes.POSITIVE, "10")
          .help("Usual steps without a step after which a job makes no progress.");
  static final Option<Duration> WAIT_STALLED_FOR =
      reloadable("wait.stalled-for", ValueType.DURATION, "10m")
          .help("Least time without a step after which a job makes no progress.");
  static final Option<Set<String>> WAIT_NEVER =
      reloadable("wait.never", DrainValueTypes.WORDS, "gpu_lost,xid_79,xid_95")
          .help("Rules for which no job is waited for. Repeatable.");
  static final Option<Set<String>> WAIT_ALWAYS =
      reloadable(
              "wait.always",
              DrainValueTypes.WORDS,
              "row_remap_pending,xid_94,efa_retransmits,training_straggler")
          .help(
              "Rules for which a job is never ended, if the node has no other finding that"
                  + " requires it. Repeatable.");
  static final Option<Set<String>> WAIT_CHECKPOINT =
      reloadable("wait.checkpoint", DrainValueTypes.WORDS, "")
          .help(
              "Rules for which a job is ended now or at its next checkpoint, whichever costs less,"
                  + " although its node could work until the job ends. Only where its checkpoints"
                  + " are known. all stands for every rule. Repeatable.");
  static final Option<Map<String, Double>> WAIT_HAZARDS =
      reloadable("wait.hazards", DrainValueTypes.HAZARDS, "")
          .help("By rule, how often per hour a node with it fails by itself. Repeatable.");
  static final Option<Integer> WAIT_RESTARTS =
      reloadable("wait.restarts", DrainValueTypes.POSITIVE, "2")
          .help("Restarts of one job that the controller may cause in six days.");
  static final Option<Duration> WAIT_GANG =
      reloadable("wait.gang-within", ValueType.DURATION, "5m")
          .help("Time for which other nodes of a job are waited for, to end it once for all.");
  static final Option<String> OPT_OUT =
      reloadable("guard.opt-out", ValueType.TEXT, "lapwing-drain-off")
          .help("A node with this feature (Slurm) or label (Kubernetes) is left alone.");
  static final Option<Set<String>> ONLY =
      reloadable("guard.only", DrainValueTypes.WORDS, "")
          .help(
              "Features, labels, partitions or node groups; any other node is left alone. Repeatable;"
                  + " empty takes all.");
  static final Option<List<Window>> WINDOWS =
      reloadable("guard.windows", DrainValueTypes.WINDOWS, "")
          .help(
              "Times in which operations are refused, or outside of which they are refused. Repeatable.");
  static final Option<Set<String>> BLOCKING_ALERTS =
      reloadable("guard.blocking-alerts", DrainValueTypes.WORDS, "")
          .help("While one of these alerts fires, nothing is done. Repeatable.");
  static final Option<Duration> ALERTS_EXPIRE =
      fixed("guard.alerts-expire", ValueType.DURATION, "5h")
          .help(
              "Time after which such an alert no longer counts, unless it is repeated. Longer than"
                  + " Alertmanager's repeat_interval.");
  static final Option<Integer> LEMON_REPAIRS =
      reloadable("ladder.lemon-repairs", DrainValueTypes.POSITIVE, "2")
          .help("Reboots and replacements of a node after which it is replaced at once.");
  static final Option<Duration> LEMON_WITHIN =
      reloadable("ladder.lemon-within", ValueType.DURATION, "7d")
          .help("Time within which these repairs count.");
  static final Option<Boolean> REQUIRE_GPUS =
      reloadable("ladder.require-gpus", ValueType.BOOLEAN, "true")
          .help("Return a node only if its agent sees as many GPUs as the scheduler expects.");
  static final Option<Integer> EVIDENCE =
      fixed("evidence.files", ValueType.COUNT, "200")
          .help(
              "Files with evidence that are kept, up to 512 MiB; the oldest are removed. 0: none.");
  static final Option<Optional<Path>> PRICES =
      fixed("prices.file", ValueType.OPTIONAL_FILE, "")
          .help("Lines of instance type and dollars per GPU hour. If empty, costs are in hours.");

  static final Option<List<ListenAddress>> LISTEN_ADDRESS =
      fixed("web.listen-address", ValueType.LISTEN_ADDRESSES, "127.0.0.1:9755")
          .help("Address to listen on. Repeatable; port 0 picks a free port.");
  static final Option<Optional<Path>> UNIX_SOCKET =
      fixed("web.unix-socket", ValueType.OPTIONAL_FILE, "/run/lapwing-drain/drain.sock")
          .help("Unix socket for the commands; made only if its directory exists.");
  static final Option<Optional<Path>> WEB_CONFIG_FILE =
      fixed("web.config.file", ValueType.OPTIONAL_FILE, "")
          .help(
              "Web configuration file in exporter-toolkit's format. Without users in it, nothing"
                  + " that changes something is taken over TCP.");
  static final Option<List<String>> ALLOWED_HOSTS =
      fixed("web.allowed-hosts", ValueType.HOST_NAMES, "")
          .help("Host names of this controller in URLs. Repeatable.");
  static final Option<Integer> MAX_REQUESTS =
      reloadable("web.max-requests", ValueType.COUNT, "20")
          .help("Maximum number of parallel scrape requests. 0 disables the limit.");
  static final Option<LogLevel> LOG_LEVEL =
      reloadable("log.level", ValueType.oneOf(LogLevel.class), "info")
          .help("Only log messages with this severity or above.");
  static final Option<LogFormat> LOG_FORMAT =
      reloadable("log.format", ValueType.oneOf(LogFormat.class), "logfmt")
          .help("Output format of log messages.");

  static final OptionTable TABLE =
      new OptionTable("controller", PREFIX, Set.of(), CONFIG_FILE, DECLARED);

  private DrainOptions() {}

  private static Option<Mode> mode(String verb, String what) {
    return reloadable("mode." + verb, DrainValueTypes.MODE, "dry-run")
        .help("How far the controller goes with " + what + ".");
  }

  private static Option<Duration> within(String verb, String time) {
    return reloadable("policy." + verb + "-within", ValueType.DURATION, time)
        .help("Time from the start of a " + verb + " to a healthy node; then more is tried.");
  }

  /** An option that SIGHUP can change. */
  private static <T> Declaration<T> reloadable(String name, ValueType<T> type, String defaultText) {
    return new Declaration<>(name, type, defaultText, true);
  }

  /** An option that takes a restart. */
  private static <T> Declaration<T> fixed(String name, ValueType<T> type, String defaultText) {
    return new Declaration<>(name, type, defaultText, false);
  }

  private record Declaration<T>(
      String name, ValueType<T> type, String defaultText, boolean reloadable) {

    Option<T> help(String sentence) {
      Option<T> option = new Option<>(name, type, defaultText, reloadable, sentence);
      DECLARED.add(option);
      return option;
    }
  }
}
