package io.lapwing.agent.config;

import io.lapwing.common.config.Option;
import io.lapwing.common.config.OptionValues;
import io.lapwing.common.log.LogSettings;
import io.lapwing.gpu.NameGeneration;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

record SettingsAssembly(
    OptionValues values, List<CollectorSwitch> collectors, Map<String, String> environment) {

  Settings settings() {
    return new Settings(
        web(),
        paths(),
        cadence(),
        gpu(),
        new Settings.Collectors(enabled(values, collectors)),
        values.get(Options.METRICS),
        health(),
        new LogSettings(values.get(Options.LOG_LEVEL), values.get(Options.LOG_FORMAT)),
        node(),
        values.get(Options.LUSTRE_TARGETS),
        workload(),
        new Settings.Guide(
            values.get(Options.PLATFORM),
            values.get(Options.RUNBOOK_URL),
            values.get(Options.DASHBOARD_URL)),
        values.get(Options.ONCE));
  }

  private Settings.Web web() {
    return new Settings.Web(
        values.get(Options.LISTEN_ADDRESS),
        values.get(Options.TELEMETRY_PATH),
        values.get(Options.MAX_REQUESTS),
        !values.get(Options.DISABLE_EXPORTER_METRICS),
        values.get(Options.WEB_CONFIG_FILE),
        values.get(Options.SYSTEMD_SOCKET),
        values.get(Options.UNIX_SOCKET),
        new Settings.Guard(
            values.get(Options.PRIVACY),
            values.get(Options.PRIVACY_KEY),
            values.get(Options.ALLOWED_HOSTS)));
  }

  private Settings.Paths paths() {
    return new Settings.Paths(
        values.get(Options.SYSFS),
        values.get(Options.PROCFS),
        values.get(Options.ROOTFS),
        values.get(Options.KMSG),
        values.get(Options.STATE));
  }

  private Settings.Cadence cadence() {
    return new Settings.Cadence(
        values.get(Options.FAST),
        values.get(Options.MEDIUM),
        values.get(Options.SLOW),
        values.get(Options.DEADLINE));
  }

  private Settings.Gpu gpu() {
    return new Settings.Gpu(
        values.get(Options.NVML_LIBRARY),
        values.get(Options.GPU_FIELDS),
        values.get(Options.GPU_NAMES),
        hostnameLabels(),
        values.get(Options.LABELS),
        values.get(Options.XID_WINDOW),
        new Settings.Dcgm(values.get(Options.DCGM_ENGINE), values.get(Options.DCGM_LIBRARY)));
  }

  /** Those of the names, unless the option is set. */
  private List<String> hostnameLabels() {
    List<NameGeneration> names = values.get(Options.GPU_NAMES);
    return names.isEmpty() || values.isGiven(Options.GPU_HOSTNAME_LABEL)
        ? values.get(Options.GPU_HOSTNAME_LABEL).label().stream().toList()
        : names.stream().map(NameGeneration::hostnameLabel).distinct().toList();
  }

  private Settings.Health health() {
    return new Settings.Health(
        values.isGiven(Options.HEALTH_PROFILE)
            ? Optional.of(values.get(Options.HEALTH_PROFILE))
            : Optional.empty(),
        values.get(Options.HEALTH_POLICY),
        values.get(Options.HEALTH_EXPECTED_GPUS),
        values.get(Options.HEALTH_EXPECTED_EFA_DEVICES));
  }

  private Settings.Node node() {
    return new Settings.Node(
        hostname(),
        values.get(Options.INSTANCE_TYPE),
        values.get(Options.INSTANCE_ID),
        values.get(Options.IMDS_URL),
        values.isGiven(Options.IMDS_URL),
        values.get(Options.NODE_UNITS));
  }

  private Settings.Workload workload() {
    return new Settings.Workload(
        values.get(Options.STEPS_DIR),
        new Settings.Jobs(
            values.get(Options.JOB_MAPPING_DIR),
            values.get(Options.POD_RESOURCES),
            values.get(Options.KUBELET_CHECKPOINT),
            values.get(Options.HPC_JOB_LABEL),
            values.get(Options.POD_LABELS)),
        values.get(Options.INFERENCE_SCRAPE),
        values.get(Options.NCCL_RAS),
        values.get(Options.NCCL_INSPECTOR_DIR));
  }

  static Set<String> enabled(OptionValues values, List<CollectorSwitch> collectors) {
    Set<String> enabled = new LinkedHashSet<>();
    for (CollectorSwitch collector : collectors) {
      Option<Boolean> option = collector.option();
      boolean considered = values.isGiven(option) || !values.get(Options.DISABLE_DEFAULTS);
      if (considered && values.get(option)) {
        enabled.add(collector.name());
      }
    }
    return enabled;
  }

  private String hostname() {
    String name = values.get(Options.HOSTNAME);
    String node = name.isEmpty() ? environment.getOrDefault("NODE_NAME", "") : name;
    return node.isEmpty() ? kernelHostname() : node;
  }

  /** Never resolves a name: the resolver may take seconds to answer. */
  private String kernelHostname() {
    try {
      return Files.readString(values.get(Options.PROCFS).resolve("sys/kernel/hostname")).strip();
    } catch (IOException e) {
      // A fixture tree may lack the file.
      return environment.getOrDefault("HOSTNAME", "localhost");
    }
  }
}
