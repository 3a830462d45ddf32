package io.lapwing.agent.config;

import io.lapwing.agent.health.Profile;
import io.lapwing.agent.preset.Preset;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.log.LogSettings;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.gpu.NameGeneration;
import io.lapwing.nccl.RasEndpoint;
import io.lapwing.node.Platform;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * All settings, validated and immutable; {@code metrics} are the families of the scrape response,
 * {@code once} prints one and exits.
 */
public record Settings(
    Web web,
    Paths paths,
    Cadence cadence,
    Gpu gpu,
    Collectors collectors,
    Preset metrics,
    Health health,
    LogSettings log,
    Node node,
    LustreTargets lustreTargets,
    Workload workload,
    Guide guide,
    boolean once) {

  /** As this, but for a single run without stored state. */
  public Settings justOnce() {
    return new Settings(
        web,
        paths,
        cadence,
        gpu,
        collectors,
        metrics,
        health,
        log,
        node,
        lustreTargets,
        workload,
        guide,
        true);
  }

  public String hostname() {
    return node.hostname();
  }

  /**
   * The web server. {@code maxRequests}: parallel scrapes above which the status is 503, 0 for no
   * limit; {@code configFile}: exporter-toolkit's format, empty for plain HTTP without
   * authentication; {@code systemdSocket}: only the sockets of systemd, instead of the listen
   * addresses; {@code unixSocket}: listened on as well; {@code guard}: what is shown to whom.
   */
  public record Web(
      List<ListenAddress> listenAddresses,
      String telemetryPath,
      int maxRequests,
      boolean exporterMetrics,
      Optional<Path> configFile,
      boolean systemdSocket,
      Optional<Path> unixSocket,
      Guard guard) {

    public Web {
      listenAddresses = List.copyOf(listenAddresses);
    }

    /** Without a Unix socket, open. */
    public Web(
        List<ListenAddress> listenAddresses,
        String telemetryPath,
        int maxRequests,
        boolean exporterMetrics,
        Optional<Path> configFile) {
      this(
          listenAddresses,
          telemetryPath,
          maxRequests,
          exporterMetrics,
          configFile,
          false,
          Optional.empty(),
          Guard.OPEN);
    }
  }

  /**
   * What is shown to whom.
   *
   * @param privacyKey of hashed names; empty for a key of the node
   * @param allowedHosts names in URLs, {@code *.example.com} for all below; empty for private ones
   */
  public record Guard(Privacy privacy, Optional<Path> privacyKey, List<String> allowedHosts) {
    public static final Guard OPEN = new Guard(Privacy.OPEN, Optional.empty(), List.of());

    public Guard {
      allowedHosts = List.copyOf(allowedHosts);
    }
  }

  /** How names of users, jobs, pods and programs are shown. */
  public enum Privacy {
    OPEN,
    /** As pseudonyms, equal for equal names. */
    HASHED,
    /** Left out; jobs, runs and pods are pseudonyms of this node. */
    HIDDEN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Mount points and files of the node; a fixture tree can replace each. */
  public record Paths(Path sysfs, Path procfs, Path rootfs, Path kmsg, Path state) {}

  /** Poll intervals, and the time after which a running poll counts as hung. */
  public record Cadence(Duration fast, Duration medium, Duration slow, Duration deadline) {}

  /**
   * GPU collection, names and labels. An empty {@code library} searches {@code libnvidia-ml.so.1};
   * {@code fields} is a CSV list in dcgm-exporter's format, empty for all; {@code names} are empty
   * for the classic ones with Lapwing's default labels.
   */
  public record Gpu(
      Optional<Path> library,
      Optional<Path> fields,
      List<NameGeneration> names,
      List<String> hostnameLabels,
      LabelSet labels,
      Duration xidWindow,
      Dcgm dcgm) {

    public Gpu {
      names = List.copyOf(names);
      hostnameLabels = List.copyOf(hostnameLabels);
    }
  }

  /** DCGM; an empty {@code library} searches for it. */
  public record Dcgm(DcgmMode engine, Optional<Path> library) {}

  public record Collectors(Set<String> enabled) {

    public Collectors {
      enabled = Set.copyOf(enabled);
    }

    public boolean enabled(String collector) {
      return enabled.contains(collector);
    }
  }

  /**
   * Health evaluation.
   *
   * @param profile empty for the profile of the policy file, or else {@code aws}
   * @param policy the site's policy file
   * @param expectedGpus empty to derive it from the instance type
   * @param expectedEfaDevices empty to derive it from the instance type
   */
  public record Health(
      Optional<Profile> profile,
      Optional<Path> policy,
      OptionalInt expectedGpus,
      OptionalInt expectedEfaDevices) {}

  /**
   * The identity of the node.
   *
   * @param hostname the node's name in labels and on the landing page
   * @param instanceType empty to detect it
   * @param instanceId empty to detect it
   * @param imds URL of the instance metadata service; empty if disabled
   * @param imdsIsGiven whether the URL is set explicitly, and so used outside of EC2 too
   * @param units systemd units that have to run, by their full names
   */
  public record Node(
      String hostname,
      String instanceType,
      String instanceId,
      Optional<URI> imds,
      boolean imdsIsGiven,
      List<String> units) {
    public Node {
      units = List.copyOf(units);
    }
  }

  /**
   * What guides an operator on the web UI.
   *
   * @param platform empty to detect it
   * @param runbooks URL of the folder with the runbooks, without a trailing slash; may be empty
   * @param dashboard URL of the node's dashboard with placeholders; may be empty
   */
  public record Guide(Optional<Platform> platform, String runbooks, String dashboard) {

    public static final Guide NONE = new Guide(Optional.empty(), "", "");
  }

  /**
   * The sources of workload metrics.
   *
   * @param steps directory in which training loops record their steps
   * @param jobs GPU-to-job attribution
   * @param inference the inference engines to scrape
   * @param ras NCCL's RAS service; empty if disabled
   * @param inspector directory of NCCL Inspector; empty if disabled
   */
  public record Workload(
      Path steps,
      Jobs jobs,
      InferenceTargets inference,
      Optional<RasEndpoint> ras,
      Optional<Path> inspector) {}

  /**
   * The sources of GPU allocations.
   *
   * @param mapping directory with one file per GPU that lists the IDs of its jobs
   * @param podResources socket of the kubelet's pod resources API
   * @param checkpoint the kubelet's device checkpoint
   * @param hpcJobLabel whether GPU series carry {@code hpc_job}
   * @param podLabels whether GPU series carry {@code pod}, {@code namespace} and {@code container}
   */
  public record Jobs(
      Path mapping, Path podResources, Path checkpoint, boolean hpcJobLabel, boolean podLabels) {}

  /** The name of the host name label on GPU series. */
  public enum HostnameLabel {
    /** {@code Hostname}, as in dcgm-exporter. */
    CAPITAL("Hostname"),
    LOWER("hostname"),
    NONE("none");

    private final String word;

    HostnameLabel(String word) {
      this.word = word;
    }

    /** The label name; empty if series have no such label. */
    public Optional<String> label() {
      return this == NONE ? Optional.empty() : Optional.of(word);
    }

    @Override
    public String toString() {
      return word;
    }
  }

  public enum LabelSet {
    FULL,
    /** Only those that identify a series; the others are on the info series. */
    LEAN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public enum LustreTargets {
    /** Those that alerts need; the others are aggregated by file system. */
    SUMMARY,
    FULL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
