package io.lapwing.agent.config;

import io.lapwing.agent.health.Profile;
import io.lapwing.agent.preset.Preset;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.config.Option;
import io.lapwing.common.config.OptionTable;
import io.lapwing.common.config.ValueType;
import io.lapwing.common.log.LogFormat;
import io.lapwing.common.log.LogLevel;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.gpu.NameGeneration;
import io.lapwing.nccl.RasEndpoint;
import io.lapwing.node.Platform;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The only source of flags, environment variables, file keys and {@code docs/configuration.md}. */
public final class Options {
  static final String PREFIX = "LAPWING_";

  /** Read by the simulator and the steps library. */
  private static final Set<String> RESERVED = Set.of("LAPWING_SIM_STATE", "LAPWING_STEPS_DIR");

  /** Filled by the declarations below, in their order. */
  private static final List<Option<?>> DECLARED = new ArrayList<>();

  public static final Option<Optional<Path>> CONFIG_FILE =
      fixed("config.file", ValueType.READABLE_FILE, "")
          .help("YAML configuration file; its keys are the option names.");
  public static final Option<List<ListenAddress>> LISTEN_ADDRESS =
      fixed("web.listen-address", ValueType.LISTEN_ADDRESSES, ":9754")
          .help(
              "Address to listen on, HOST:PORT or unix:/PATH. Repeatable; port 0 picks a free port.");
  public static final Option<Boolean> SYSTEMD_SOCKET =
      fixed("web.systemd-socket", ValueType.BOOLEAN, "false")
          .help(
              "Listen on the sockets that systemd passes instead of web.listen-address. Without it, a socket of systemd is"
                  + " used for each listen address that it covers.");
  public static final Option<Optional<Path>> UNIX_SOCKET =
      fixed("web.unix-socket", ValueType.OPTIONAL_FILE, "/run/lapwing/agent/agent.sock")
          .help(
              "Unix socket to listen on as well, for commands on this node; made only if its directory exists."
                  + " If empty, none.");
  public static final Option<String> TELEMETRY_PATH =
      fixed("web.telemetry-path", ValueType.URL, "/metrics")
          .help("Path under which to expose metrics.");
  public static final Option<Integer> MAX_REQUESTS =
      reloadable("web.max-requests", ValueType.COUNT, "40")
          .help(
              "Maximum number of parallel scrape requests; further ones get status 503. 0 disables the limit.");
  public static final Option<Boolean> DISABLE_EXPORTER_METRICS =
      fixed("web.disable-exporter-metrics", ValueType.BOOLEAN, "false")
          .help("Exclude metrics about the agent itself (process, JVM, HTTP).");
  public static final Option<Optional<Path>> WEB_CONFIG_FILE =
      fixed("web.config.file", ValueType.AGENTS_FILE, "")
          .help(
              "Web configuration file in exporter-toolkit's format: TLS, authentication, headers, rate"
                  + " limit. Re-read when it changes.");
  public static final Option<Settings.Privacy> PRIVACY =
      fixed("web.privacy", ValueType.oneOf(Settings.Privacy.class), "open")
          .help(
              "Names of users, jobs, pods and programs: shown (open), as keyed hashes (hashed), or left out (hidden)."
                  + " The last two omit losses too.");
  public static final Option<Optional<Path>> PRIVACY_KEY =
      fixed("web.privacy-key", ValueType.OPTIONAL_FILE, "")
          .help(
              "File with the key of hashed names, for equal hashes on all nodes. If empty, the node has its own.");
  public static final Option<List<String>> ALLOWED_HOSTS =
      fixed("web.allowed-hosts", ValueType.HOST_NAMES, "")
          .help(
              "Host names of this agent in URLs, such as *.example.com. Repeatable; for plain HTTP without"
                  + " passwords. If empty, private names and addresses.");
  public static final Option<String> RUNBOOK_URL =
      fixed("web.runbook-url", ValueType.LINK, "")
          .help(
              "URL of the folder with the runbooks, for links of the web UI. If empty, those of the agent.");
  public static final Option<String> DASHBOARD_URL =
      fixed("web.dashboard-url", ValueType.LINK, "")
          .help(
              "URL of a node's dashboard, for a link of the web UI; {hostname} and {instance_id} are replaced."
                  + " If empty, no link.");
  public static final Option<Path> SYSFS =
      fixed("path.sysfs", ValueType.DIRECTORY, "/sys").help("sysfs mount point.");
  public static final Option<Path> PROCFS =
      fixed("path.procfs", ValueType.DIRECTORY, "/proc").help("procfs mount point.");
  public static final Option<Path> ROOTFS =
      fixed("path.rootfs", ValueType.DIRECTORY, "/")
          .help("Mount point of the node's root file system.");
  public static final Option<Path> KMSG =
      fixed("path.kmsg", ValueType.FILE, "/dev/kmsg").help("Kernel log device.");
  public static final Option<Path> STATE =
      fixed("path.state", ValueType.DIRECTORY, "/var/lib/lapwing")
          .help("State directory, the only one the agent writes to.");
  public static final Option<Optional<Path>> NVML_LIBRARY =
      fixed("nvml.library", ValueType.OPTIONAL_PATH, "")
          .help(
              "NVML library to load, or the root directory of a driver that has it. If empty,"
                  + " libnvidia-ml.so.1 is searched for.");
  public static final Option<DcgmMode> DCGM_ENGINE =
      reloadable("dcgm.engine", NodeValueTypes.DCGM_MODE, "off")
          .help(
              "DCGM host engine that is read for what NVML lacks: none (off), one that runs on this node (auto), one at an"
                  + " address, or one in the agent if no other runs (embedded).");
  public static final Option<Optional<Path>> DCGM_LIBRARY =
      fixed("dcgm.library", ValueType.OPTIONAL_PATH, "")
          .help(
              "DCGM library to load. If empty, libdcgm.so.4 and then libdcgm.so.3 are searched for.");
  public static final Option<Preset> METRICS =
      reloadable("metrics", ValueType.oneOf(Preset.class), "standard")
          .help(
              "Preset of metric families: those that the shipped rules read (minimal), also those of the shipped dashboards"
                  + " and of other exporters (standard), or all (full).");
  public static final Option<Optional<Path>> GPU_FIELDS =
      reloadable("gpu.fields", ValueType.READABLE_FILE, "")
          .help(
              "Field list of dcgm-exporter, CSV or YAML: then it selects the families with DCGM's names. If empty, the preset does.");
  public static final Option<List<NameGeneration>> GPU_NAMES =
      fixed("gpu.names", NodeValueTypes.NAME_GENERATIONS, "")
          .help(
              "Names, units and labels of GPU series: those of dcgm-exporter up to 4.8.2 (classic), of 4.8.3 and 4.8.4"
                  + " (classic-hostname), or of 4.9. Repeatable: two are served at once. If empty, classic names without the"
                  + " label of the driver's version.");
  public static final Option<Settings.HostnameLabel> GPU_HOSTNAME_LABEL =
      fixed("gpu.hostname-label", ValueType.oneOf(Settings.HostnameLabel.class), "Hostname")
          .help(
              "Name of the host name label on GPU series; none omits the label. If set, it replaces that of gpu.names.");
  public static final Option<Duration> XID_WINDOW =
      fixed("gpu.xid-window", ValueType.DURATION, "5m")
          .help("Window of DCGM_EXP_XID_ERRORS_COUNT and DCGM_EXP_CLOCK_EVENTS_COUNT.");
  public static final Option<Settings.LabelSet> LABELS =
      fixed("labels", ValueType.oneOf(Settings.LabelSet.class), "full")
          .help(
              "Labels of GPU series: all of dcgm-exporter's (full), or only those that identify a series (lean).");
  public static final Option<String> HOSTNAME =
      fixed("node.hostname", ValueType.TEXT, "")
          .help("Node name. If empty, NODE_NAME or else the host name.");
  public static final Option<String> INSTANCE_TYPE =
      fixed("node.instance-type", ValueType.TEXT, "")
          .help(
              "EC2 instance type, such as p5.48xlarge. If empty, from DMI or else the instance metadata"
                  + " service.");
  public static final Option<String> INSTANCE_ID =
      fixed("node.instance-id", ValueType.TEXT, "")
          .help("EC2 instance ID. If empty, from DMI or else the instance metadata service.");
  public static final Option<Optional<Platform>> PLATFORM =
      fixed("node.platform", NodeValueTypes.PLATFORM, "auto")
          .help(
              "Platform of the node, for the commands of lapwing check --commands and the web UI.");
  public static final Option<List<String>> NODE_UNITS =
      reloadable("node.units", ValueType.UNITS, "")
          .help(
              "systemd units that have to run on this node: slurmd,kubelet,containerd. Repeatable; empty checks none.");
  public static final Option<Optional<URI>> IMDS_URL =
      fixed("imds.url", ValueType.SERVICE, "http://169.254.169.254")
          .help(
              "URL of the EC2 instance metadata service; off disables it. If not set, the default is used"
                  + " on EC2 only.");
  public static final Option<Profile> HEALTH_PROFILE =
      reloadable("health.profile", ValueType.oneOf(Profile.class), "aws")
          .help("Health policy profile. Overrides the profile in health.policy.");
  public static final Option<Optional<Path>> HEALTH_POLICY =
      reloadable("health.policy", ValueType.READABLE_FILE, "")
          .help("YAML file with this site's changes to the profile.");
  public static final Option<OptionalInt> HEALTH_EXPECTED_GPUS =
      reloadable("health.expected-gpus", ValueType.COUNT_OR_AUTO, "auto")
          .help("Expected number of GPUs; auto derives it from the instance type.");
  public static final Option<OptionalInt> HEALTH_EXPECTED_EFA_DEVICES =
      reloadable("health.expected-efa-devices", ValueType.COUNT_OR_AUTO, "auto")
          .help(
              "Expected number of EFA devices; with auto, fewer than the maximum of the instance type are info.");
  public static final Option<Settings.LustreTargets> LUSTRE_TARGETS =
      reloadable("lustre.targets", ValueType.oneOf(Settings.LustreTargets.class), "summary")
          .help(
              "Metrics per Lustre target and LNet peer: those that alerts need (summary), or all (full).");
  public static final Option<Path> STEPS_DIR =
      reloadable("training.steps-dir", ValueType.DIRECTORY, "/run/lapwing/steps")
          .help("Directory in which training loops record their steps.");
  public static final Option<Path> JOB_MAPPING_DIR =
      reloadable("jobs.mapping-dir", ValueType.DIRECTORY, "/run/slurm/dcgm-job-mapping")
          .help(
              "Directory with one file per GPU that lists the IDs of its jobs, as for dcgm-exporter.");
  public static final Option<Path> POD_RESOURCES =
      reloadable(
              "jobs.pod-resources", ValueType.FILE, "/var/lib/kubelet/pod-resources/kubelet.sock")
          .help("Socket of the kubelet's pod resources API, which maps GPUs to pods.");
  public static final Option<Path> KUBELET_CHECKPOINT =
      reloadable(
              "jobs.kubelet-checkpoint",
              ValueType.FILE,
              "/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint")
          .help(
              "The kubelet's device checkpoint, which maps GPUs to pods; read if the socket does not"
                  + " answer.");
  public static final Option<Boolean> HPC_JOB_LABEL =
      reloadable("hpc-job-label", ValueType.BOOLEAN, "false")
          .help(
              "Add dcgm-exporter's hpc_job label to the DCGM series of a GPU that one job holds.");
  public static final Option<Boolean> POD_LABELS =
      reloadable("gpu.pod-labels", ValueType.BOOLEAN, "false")
          .help(
              "Add dcgm-exporter's pod, namespace, container and dra_* labels to the DCGM series of a GPU;"
                  + " where several share it, those that all have.");
  public static final Option<InferenceTargets> INFERENCE_SCRAPE =
      reloadable("inference.scrape", NodeValueTypes.INFERENCE_TARGETS, "off")
          .help("Metrics URLs of inference engines on this host; auto tries the default ports.");
  public static final Option<Optional<RasEndpoint>> NCCL_RAS =
      reloadable("nccl.ras", NodeValueTypes.RAS_ENDPOINT, "off")
          .help("Address of NCCL's RAS service; auto is localhost:28028.");
  public static final Option<Optional<Path>> NCCL_INSPECTOR_DIR =
      reloadable("nccl.inspector-dir", ValueType.OPTIONAL_DIRECTORY, "")
          .help("Directory in which NCCL Inspector writes its Prometheus files.");
  public static final Option<Duration> FAST =
      reloadable("cadence.fast", ValueType.DURATION, "5s")
          .help(
              "Poll interval of values that follow the workload: utilization, power, clocks. With a regular scraper they are read before its scrapes instead, at most three intervals apart.");
  public static final Option<Duration> MEDIUM =
      reloadable("cadence.medium", ValueType.DURATION, "10s")
          .help(
              "Poll interval of counters and temperatures. With a regular scraper they are read before"
                  + " its scrapes instead, at most one and a half intervals apart.");
  public static final Option<Duration> SLOW =
      reloadable("cadence.slow", ValueType.DURATION, "60s")
          .help("Poll interval of values that rarely change or are expensive to read.");
  public static final Option<Duration> DEADLINE =
      reloadable("poll.deadline", ValueType.DURATION, "5s")
          .help("Time after which a poll that has not returned counts as hung.");
  public static final Option<Boolean> DISABLE_DEFAULTS =
      reloadable("collector.disable-defaults", ValueType.BOOLEAN, "false")
          .help("Disable all collectors that are not enabled explicitly.");
  public static final Option<Boolean> ONCE =
      fixed("once", ValueType.BOOLEAN, "false").help("Print the metrics once and exit.");
  public static final Option<LogLevel> LOG_LEVEL =
      reloadable("log.level", ValueType.oneOf(LogLevel.class), "info")
          .help("Only log messages with this severity or above.");
  public static final Option<LogFormat> LOG_FORMAT =
      reloadable("log.format", ValueType.oneOf(LogFormat.class), "logfmt")
          .help("Output format of log messages.");

  /** All options but those of the collectors, in the order in which they are listed. */
  static final List<Option<?>> FIXED = List.copyOf(DECLARED);

  private Options() {}

  /** Those of an agent with these collectors, for their reader. */
  static OptionTable table(List<CollectorSwitch> collectors) {
    return new OptionTable("agent", PREFIX, RESERVED, CONFIG_FILE, with(collectors));
  }

  /** All options of an agent with these collectors. */
  static List<Option<?>> with(List<CollectorSwitch> collectors) {
    List<Option<?>> all = new ArrayList<>(FIXED);
    collectors.forEach(collector -> all.add(collector.option()));
    return List.copyOf(all);
  }

  /** An option that SIGHUP can change. */
  private static <T> Declaration<T> reloadable(String name, ValueType<T> type, String defaultText) {
    return new Declaration<>(name, type, defaultText, true);
  }

  /**
   * An option that takes a restart: open files, ports, the native library or the identity of series
   * depend on it.
   */
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
