package io.lapwing.agent.config;

import io.lapwing.agent.health.Profile;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The table of options. Flags, environment, file and {@code docs/configuration.md} all come from
 * here.
 */
final class Options {
  static final Option<Optional<Path>> CONFIG_FILE =
      new Option<>(
          "config.file", ValueTypes.READABLE_FILE, "", "YAML file with the options named here.");
  static final Option<List<ListenAddress>> LISTEN_ADDRESS =
      new Option<>(
          "web.listen-address",
          ValueTypes.LISTEN_ADDRESSES,
          ":9754",
          "Address to serve on. May be repeated; port 0 takes any free one.");
  static final Option<String> TELEMETRY_PATH =
      new Option<>("web.telemetry-path", ValueTypes.URL, "/metrics", "Path of the page.");
  static final Option<Integer> MAX_REQUESTS =
      new Option<>(
          "web.max-requests",
          ValueTypes.COUNT,
          "40",
          "Scrapes in flight beyond which the next is answered 503; 0 for no limit.");
  static final Option<Boolean> DISABLE_EXPORTER_METRICS =
      new Option<>(
          "web.disable-exporter-metrics",
          ValueTypes.SWITCH,
          "false",
          "Leave the agent's own process, JVM and HTTP metrics off the page.");
  static final Option<Optional<Path>> WEB_CONFIG_FILE =
      new Option<>(
          "web.config.file",
          ValueTypes.READABLE_FILE,
          "",
          "TLS, users, headers and rate limit, in the form of exporter-toolkit. Read anew when it"
              + " changes.");
  static final Option<Path> SYSFS =
      new Option<>("path.sysfs", ValueTypes.DIRECTORY, "/sys", "Where sysfs is mounted.");
  static final Option<Path> PROCFS =
      new Option<>("path.procfs", ValueTypes.DIRECTORY, "/proc", "Where procfs is mounted.");
  static final Option<Path> ROOTFS =
      new Option<>(
          "path.rootfs", ValueTypes.DIRECTORY, "/", "Where the node's root file system is seen.");
  static final Option<Path> KMSG =
      new Option<>("path.kmsg", ValueTypes.FILE, "/dev/kmsg", "The kernel log.");
  static final Option<Path> STATE =
      new Option<>(
          "path.state",
          ValueTypes.DIRECTORY,
          "/var/lib/lapwing",
          "The only directory the agent writes to.");
  static final Option<Optional<Path>> NVML_LIBRARY =
      new Option<>(
          "nvml.library",
          ValueTypes.LIBRARY,
          "",
          "The NVML library to load. Empty searches for libnvidia-ml.so.1.");
  static final Option<Optional<Path>> GPU_FIELDS =
      new Option<>(
          "gpu.fields",
          ValueTypes.READABLE_FILE,
          "",
          "Field list in dcgm-exporter's CSV form. Empty serves every field.");
  static final Option<HostnameLabel> GPU_HOSTNAME_LABEL =
      new Option<>(
          "gpu.hostname-label",
          ValueTypes.oneOf(HostnameLabel.class),
          "Hostname",
          "How GPU series name the node; none leaves that label out.");
  static final Option<Duration> XID_WINDOW =
      new Option<>(
          "gpu.xid-window", ValueTypes.DURATION, "5m", "How long an XID counts as recent.");
  static final Option<LabelSet> LABELS =
      new Option<>(
          "labels",
          ValueTypes.oneOf(LabelSet.class),
          "full",
          "Labels of GPU series: all of dcgm-exporter's, or only what tells series apart.");
  static final Option<String> HOSTNAME =
      new Option<>(
          "node.hostname",
          ValueTypes.TEXT,
          "",
          "The node's name. Empty takes NODE_NAME, else the host name.");
  static final Option<String> INSTANCE_TYPE =
      new Option<>(
          "node.instance-type",
          ValueTypes.TEXT,
          "",
          "The EC2 instance type, such as p5.48xlarge. Empty takes DMI's, else that of the metadata"
              + " service.");
  static final Option<String> INSTANCE_ID =
      new Option<>(
          "node.instance-id",
          ValueTypes.TEXT,
          "",
          "The EC2 instance id. Empty takes DMI's, else that of the metadata service.");
  static final Option<Optional<URI>> IMDS_URL =
      new Option<>(
          "imds.url",
          ValueTypes.SERVICE,
          "http://169.254.169.254",
          "The instance metadata service of EC2; off asks none. Unless given, it is asked on EC2"
              + " only.");
  static final Option<Profile> HEALTH_PROFILE =
      new Option<>(
          "health.profile",
          ValueTypes.oneOf(Profile.class),
          "aws",
          "Whose advice the verdict follows; comes before the profile of health.policy.");
  static final Option<Optional<Path>> HEALTH_POLICY =
      new Option<>(
          "health.policy",
          ValueTypes.READABLE_FILE,
          "",
          "YAML file with what this site judges otherwise. Empty takes the profile as it is.");
  static final Option<OptionalInt> HEALTH_EXPECTED_GPUS =
      new Option<>(
          "health.expected-gpus",
          ValueTypes.COUNT_OR_AUTO,
          "auto",
          "How many GPUs there should be; auto goes by the instance type.");
  static final Option<OptionalInt> HEALTH_EXPECTED_EFA_DEVICES =
      new Option<>(
          "health.expected-efa-devices",
          ValueTypes.COUNT_OR_AUTO,
          "auto",
          "How many EFA devices there should be; auto takes the most that the instance type can"
              + " have.");
  static final Option<LustreTargets> LUSTRE_TARGETS =
      new Option<>(
          "lustre.targets",
          ValueTypes.oneOf(LustreTargets.class),
          "summary",
          "What is told of each Lustre target and LNet peer: what alerts need, or everything.");
  static final Option<Path> STEPS_DIR =
      new Option<>(
          "training.steps-dir",
          ValueTypes.DIRECTORY,
          "/run/lapwing/steps",
          "Where training loops leave the records of their steps.");
  static final Option<Path> JOB_MAPPING_DIR =
      new Option<>(
          "jobs.mapping-dir",
          ValueTypes.DIRECTORY,
          "/run/slurm/dcgm-job-mapping",
          "Directory with a file per GPU that holds the ids of its jobs, as dcgm-exporter reads"
              + " it.");
  static final Option<Path> POD_RESOURCES =
      new Option<>(
          "jobs.pod-resources",
          ValueTypes.FILE,
          "/var/lib/kubelet/pod-resources/kubelet.sock",
          "The socket on which the kubelet tells which pod has which GPU.");
  static final Option<Path> KUBELET_CHECKPOINT =
      new Option<>(
          "jobs.kubelet-checkpoint",
          ValueTypes.FILE,
          "/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint",
          "The kubelet's own note of which pod has which GPU, read where its socket does not"
              + " answer.");
  static final Option<Boolean> HPC_JOB_LABEL =
      new Option<>(
          "hpc-job-label",
          ValueTypes.SWITCH,
          "false",
          "Put dcgm-exporter's label hpc_job on GPU series, once for each job of the GPU.");
  static final Option<InferenceTargets> INFERENCE_SCRAPE =
      new Option<>(
          "inference.scrape",
          ValueTypes.INFERENCE_TARGETS,
          "off",
          "Pages of inference engines on this host to read: auto asks the usual ports.");
  static final Option<Optional<RasAddress>> NCCL_RAS =
      new Option<>(
          "nccl.ras",
          ValueTypes.RAS_ADDRESS,
          "off",
          "Ask NCCL's RAS service; auto is localhost:28028.");
  static final Option<Optional<Path>> NCCL_INSPECTOR_DIR =
      new Option<>(
          "nccl.inspector-dir",
          ValueTypes.OPTIONAL_DIRECTORY,
          "",
          "Where NCCL Inspector writes its Prometheus files. Empty reads none.");
  static final Option<Duration> FAST =
      new Option<>(
          "cadence.fast",
          ValueTypes.DURATION,
          "5s",
          "Time between readings of what moves with the work: utilisation, power, clocks.");
  static final Option<Duration> MEDIUM =
      new Option<>(
          "cadence.medium",
          ValueTypes.DURATION,
          "10s",
          "Time between readings of counters and temperatures.");
  static final Option<Duration> SLOW =
      new Option<>(
          "cadence.slow",
          ValueTypes.DURATION,
          "60s",
          "Time between readings of what hardly moves or costs more to read.");
  static final Option<Duration> DEADLINE =
      new Option<>(
          "poll.deadline",
          ValueTypes.DURATION,
          "5s",
          "How long one reading may take before its source counts as hung.");
  static final Option<Boolean> DISABLE_DEFAULTS =
      new Option<>(
          "collector.disable-defaults",
          ValueTypes.SWITCH,
          "false",
          "Switch off every collector that is not switched on by name.");
  static final Option<Boolean> ONCE =
      new Option<>("once", ValueTypes.SWITCH, "false", "Print one page and exit.");
  static final Option<LogLevel> LOG_LEVEL =
      new Option<>(
          "log.level",
          ValueTypes.oneOf(LogLevel.class),
          "info",
          "The least severity that is logged.");
  static final Option<LogFormat> LOG_FORMAT =
      new Option<>(
          "log.format", ValueTypes.oneOf(LogFormat.class), "logfmt", "How a log record looks.");

  /** All but the collectors' own, in the order they are shown. */
  static final List<Option<?>> FIXED =
      List.of(
          CONFIG_FILE,
          LISTEN_ADDRESS,
          TELEMETRY_PATH,
          MAX_REQUESTS,
          DISABLE_EXPORTER_METRICS,
          WEB_CONFIG_FILE,
          SYSFS,
          PROCFS,
          ROOTFS,
          KMSG,
          STATE,
          NVML_LIBRARY,
          GPU_FIELDS,
          GPU_HOSTNAME_LABEL,
          XID_WINDOW,
          LABELS,
          HOSTNAME,
          INSTANCE_TYPE,
          INSTANCE_ID,
          IMDS_URL,
          HEALTH_PROFILE,
          HEALTH_POLICY,
          HEALTH_EXPECTED_GPUS,
          HEALTH_EXPECTED_EFA_DEVICES,
          LUSTRE_TARGETS,
          STEPS_DIR,
          JOB_MAPPING_DIR,
          POD_RESOURCES,
          KUBELET_CHECKPOINT,
          HPC_JOB_LABEL,
          INFERENCE_SCRAPE,
          NCCL_RAS,
          NCCL_INSPECTOR_DIR,
          FAST,
          MEDIUM,
          SLOW,
          DEADLINE,
          DISABLE_DEFAULTS,
          ONCE,
          LOG_LEVEL,
          LOG_FORMAT);

  private Options() {}

  /** The whole table for an agent with these collectors. */
  static List<Option<?>> with(List<CollectorSwitch> collectors) {
    List<Option<?>> all = new ArrayList<>(FIXED);
    collectors.forEach(collector -> all.add(collector(collector)));
    return List.copyOf(all);
  }

  static Option<Boolean> collector(CollectorSwitch collector) {
    return new Option<>(
        "collector." + collector.name(),
        ValueTypes.SWITCH,
        String.valueOf(collector.defaultOn()),
        collector.help());
  }
}
