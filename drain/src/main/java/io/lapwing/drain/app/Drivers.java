package io.lapwing.drain.app;

import io.fabric8.kubernetes.client.Config;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.Option;
import io.lapwing.common.log.Log;
import io.lapwing.drain.app.DrainValueTypes.DomainSource;
import io.lapwing.drain.app.DrainValueTypes.RepairDriver;
import io.lapwing.drain.app.DrainValueTypes.RestAddress;
import io.lapwing.drain.aws.AwsApi;
import io.lapwing.drain.aws.Ec2Repairs;
import io.lapwing.drain.aws.HyperPodRepairs;
import io.lapwing.drain.cluster.BackgroundRepairs;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.JobEnder;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.RepairsByRemedy;
import io.lapwing.drain.cluster.Scheduler;
import io.lapwing.drain.exec.ExecRepairs;
import io.lapwing.drain.exec.Executables;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.kubernetes.KubernetesScheduler;
import io.lapwing.drain.kubernetes.Leadership;
import io.lapwing.drain.slurm.HyperPodSlurmRepairs;
import io.lapwing.drain.slurm.NvlinkDomains;
import io.lapwing.drain.slurm.ParallelClusterRepairs;
import io.lapwing.drain.slurm.SlurmBlocks;
import io.lapwing.drain.slurm.SlurmCommands;
import io.lapwing.drain.slurm.SlurmJobEnder;
import io.lapwing.drain.slurm.SlurmPlatform;
import io.lapwing.drain.slurm.SlurmPower;
import io.lapwing.drain.slurm.SlurmReboot;
import io.lapwing.drain.slurm.SlurmRest;
import io.lapwing.drain.slurm.SlurmScheduler;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/**
 * The scheduler and the repair drivers, as configured.
 *
 * @param slurm its programs, if Slurm is the scheduler and slurmrestd is not used
 * @param platform the platform of Slurm's nodes
 */
record Drivers(DrainSettings settings, Optional<SlurmCommands> slurm, SlurmPlatform platform) {
  private static final Log LOG = Log.of(Drivers.class);

  /** Commands of one driver at the same time. */
  private static final int PARALLEL_REPAIRS = 8;

  /**
   * @throws ConfigException if the programs of the scheduler are missing
   */
  static Drivers of(DrainSettings settings, ParallelClusterHost host) throws ConfigException {
    SlurmPlatform platform = platform(settings, host);
    if (settings.get(DrainOptions.SCHEDULER) != DrainOptions.SchedulerKind.SLURM
        || settings.get(DrainOptions.SLURM_REST).isPresent()) {
      return new Drivers(settings, Optional.empty(), platform);
    }
    List<Path> folders =
        settings.get(DrainOptions.SLURM_FOLDER).map(List::of).orElse(Executables.FOLDERS);
    Optional<SlurmCommands> slurm =
        SlurmCommands.find(
            folders,
            settings
                .get(DrainOptions.SLURM_CONF)
                .map(file -> Map.of("SLURM_CONF", file.toString()))
                .orElse(Map.of()),
            settings.get(DrainOptions.SLURM_TIMEOUT));
    if (slurm.isEmpty()) {
      throw new ConfigException(
          List.of("scheduler: scontrol and squeue are in none of " + folders));
    }
    return new Drivers(settings, slurm, platform);
  }

  Scheduler scheduler() {
    return switch (settings.get(DrainOptions.SCHEDULER)) {
      case NONE -> new NoScheduler();
      case SLURM ->
          settings
              .get(DrainOptions.SLURM_REST)
              .map(at -> new SlurmScheduler(rest(at), domains(), platform, Clock.systemUTC()))
              .orElseGet(
                  () ->
                      new SlurmScheduler(
                          slurm.orElseThrow(), domains(), platform, Clock.systemUTC()));
      case KUBERNETES ->
          new KubernetesScheduler(
              KubernetesScheduler.connect(Config.autoConfigure(null)),
              settings.get(DrainOptions.PERMANENT_TAINTS),
              Clock.systemUTC(),
              LOG::warn);
    };
  }

  /** slurmrestd does not show blocks. */
  private NvlinkDomains domains() {
    DomainSource from = settings.get(DrainOptions.NVLINK_DOMAINS);
    return from.feature()
        .map(NvlinkDomains::byFeature)
        .orElseGet(
            () ->
                slurm
                    .filter(any -> from.blocks())
                    .<NvlinkDomains>map(own -> new SlurmBlocks(own, Clock.systemUTC()))
                    .orElse(NvlinkDomains.NONE));
  }

  private SlurmRest rest(RestAddress at) {
    return new SlurmRest(
        at.base(),
        at.socket(),
        settings.get(DrainOptions.SLURM_TOKEN),
        settings.get(DrainOptions.SLURM_TIMEOUT));
  }

  /** The election in which the controller of a Kubernetes cluster takes part. */
  static Optional<Leadership> leadership(DrainSettings settings) {
    if (settings.get(DrainOptions.SCHEDULER) != DrainOptions.SchedulerKind.KUBERNETES) {
      return Optional.empty();
    }
    Config found = Config.autoConfigure(null);
    String own = found.getNamespace() == null ? "default" : found.getNamespace();
    // With a client of its own: a slow answer about the nodes must not delay a renewal.
    return settings
        .get(DrainOptions.LEASE)
        .map(
            lease ->
                new Leadership(
                    KubernetesScheduler.connect(found, Leadership.TIMEOUT),
                    lease.namespace().orElse(own),
                    lease.name(),
                    identity(),
                    Drivers::end));
  }

  /** The host name of a pod is its name; the suffix distinguishes two processes in it. */
  private static String identity() {
    String host = System.getenv("HOSTNAME");
    return (host == null ? "lapwing-drain" : host) + "_" + UUID.randomUUID();
  }

  /** At once, without shutdown hooks: nothing may be done that the new leader cannot see. */
  private static void end() {
    LOG.error("the Lease is lost: another controller may act now; this one ends");
    Runtime.getRuntime().halt(1);
  }

  /** What ends a job: a requeue of Slurm, or evictions of Kubernetes. */
  JobEnder jobEnder(Scheduler scheduler) {
    if (scheduler instanceof JobEnder ender) {
      return ender;
    }
    return slurm
        .<JobEnder>map(SlurmJobEnder::new)
        .orElse((job, node, reason) -> new Refused("no driver ends jobs"));
  }

  /**
   * Only from what repairs the nodes can HyperPod be known; ParallelCluster from its machine, too.
   */
  private static SlurmPlatform platform(DrainSettings settings, ParallelClusterHost host) {
    if (settings.repairsBy(RepairDriver.Kind.HYPERPOD)) {
      return SlurmPlatform.HYPERPOD;
    }
    return settings.parallelCluster(host).isPresent()
        ? SlurmPlatform.PARALLEL_CLUSTER
        : SlurmPlatform.SLURM;
  }

  /** Who runs the nodes, for the log. */
  Optional<String> platformText(ParallelClusterHost host) {
    return switch (platform) {
      case SLURM ->
          settings.get(DrainOptions.SCHEDULER) == DrainOptions.SchedulerKind.SLURM
              ? Optional.of("Slurm alone, or AWS PCS")
              : Optional.empty();
      case HYPERPOD -> Optional.of("HyperPod: a driver of repairs is hyperpod");
      case PARALLEL_CLUSTER ->
          settings.parallelCluster(host).map(seen -> "ParallelCluster: " + seen);
    };
  }

  Repairs repairs() {
    Map<Remedy, Repairs> drivers = new EnumMap<>(Remedy.class);
    add(drivers, Remedy.RESET_GPU, DrainOptions.RESET);
    add(drivers, Remedy.REBOOT_NODE, DrainOptions.REBOOT);
    add(drivers, Remedy.REPLACE_NODE, DrainOptions.REPLACE);
    return new RepairsByRemedy(drivers);
  }

  private void add(Map<Remedy, Repairs> drivers, Remedy remedy, Option<RepairDriver> option) {
    RepairDriver driver = settings.get(option);
    switch (driver.kind()) {
      case NONE -> {
        if (remedy == Remedy.REPLACE_NODE && platform == SlurmPlatform.PARALLEL_CLUSTER) {
          // Its own daemon replaces each drained node, whether we wait for that or not.
          drivers.put(remedy, new ParallelClusterRepairs());
        }
      }
      case SLURM ->
          drivers.put(
              remedy,
              remedy == Remedy.REBOOT_NODE
                  ? new SlurmReboot(slurm.orElseThrow(), platform)
                  : new SlurmPower(slurm.orElseThrow()));
      case PARALLELCLUSTER -> drivers.put(remedy, new ParallelClusterRepairs(slurm.orElseThrow()));
      case HYPERPOD ->
          drivers.put(
              remedy,
              slurm
                  .<Repairs>map(own -> new HyperPodSlurmRepairs(own, Clock.systemUTC()))
                  .orElseGet(
                      () ->
                          background(
                              new HyperPodRepairs(
                                  api("sagemaker"), settings.get(DrainOptions.HYPERPOD_CLUSTER)))));
      case EC2 -> drivers.put(remedy, background(new Ec2Repairs(api("ec2"))));
      case EXEC ->
          drivers.put(
              remedy,
              background(
                  new ExecRepairs(
                      driver.program().orElseThrow(),
                      List.of(),
                      settings.get(DrainOptions.REPAIR_TIMEOUT))));
    }
  }

  /** They take longer than a round may. */
  private static Repairs background(Repairs repairs) {
    return new BackgroundRepairs(repairs, Daemons.withoutQueue("repairs", PARALLEL_REPAIRS));
  }

  private AwsApi api(String service) {
    String region = settings.get(DrainOptions.AWS_REGION);
    return new AwsApi(
        service,
        region,
        AwsApi.endpoint(service, region),
        DefaultCredentialsProvider.builder().build(),
        Clock.systemUTC());
  }
}
