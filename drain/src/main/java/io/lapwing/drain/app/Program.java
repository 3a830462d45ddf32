package io.lapwing.drain.app;

import io.lapwing.common.config.ClientConfig;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.log.Log;
import io.lapwing.common.log.Logging;
import io.lapwing.common.process.MappedPages;
import io.lapwing.common.process.SighupListener;
import io.lapwing.common.web.ResponseQuota.Timing;
import io.lapwing.common.web.WebServer;
import io.lapwing.common.web.WebServer.ListenException;
import io.lapwing.common.web.security.ClientAccess;
import io.lapwing.drain.cluster.JobEnder;
import io.lapwing.drain.cluster.JobQueue;
import io.lapwing.drain.cluster.Scheduler;
import io.lapwing.drain.evidence.EvidenceFiles;
import io.lapwing.drain.evidence.Room;
import io.lapwing.drain.exec.ExecGpuRelease;
import io.lapwing.drain.exec.ExecSiteTest;
import io.lapwing.drain.exec.SiteProgram;
import io.lapwing.drain.health.BackgroundRelease;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.intake.FiringAlerts;
import io.lapwing.drain.intake.NodeDirectory;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.agents.AgentCheckpoints;
import io.lapwing.drain.intake.agents.AgentPages;
import io.lapwing.drain.intake.agents.Authorization;
import io.lapwing.drain.intake.agents.HttpHealthReader;
import io.lapwing.drain.intake.agents.JdkHttpGet;
import io.lapwing.drain.intake.agents.ParallelHealthReader;
import io.lapwing.drain.jobs.Prices;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.journal.JournalFile;
import io.lapwing.drain.journal.Retention;
import io.lapwing.drain.kubernetes.Leadership;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.queue.QueueWatch;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.remediation.EvidenceStore;
import io.lapwing.drain.remediation.Ports;
import io.lapwing.drain.remediation.SiteTest;
import io.lapwing.systemd.InheritedSocket;
import io.lapwing.systemd.NotifySocket;
import io.lapwing.systemd.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/** The running controller: everything is constructed here, top to bottom. */
final class Program {
  private static final Log LOG = Log.of(Program.class);

  /** A page of metrics of the largest node is half of it. */
  private static final int MOST_OF_PAGE = 4 << 20;

  private static final Duration FIRST_CHECKPOINT_ANSWER = Duration.ofMillis(500);
  private static final long MOST_EVIDENCE = 512L << 20;
  private static final int AGENT_THREADS = 4;
  private static final Duration QUEUE_AGAIN = Duration.ofSeconds(5);
  private static final int AGENTS_AT_ONCE = 32;
  private static final int PARALLEL_RELEASES = 8;

  private final Configuration configuration;
  private final DrainSettings settings;
  private final NodeDirectory directory = new NodeDirectory();
  private final DrainMetrics metrics = new DrainMetrics();
  private final FiringAlerts firing;
  private final KillSwitch killSwitch;
  private final WatchedCluster cluster;
  private final HttpHealthReader agents;
  private final WatchedJournal journal;
  private final Ports ports;
  private final Loop loop;
  private final State state;
  private final RequestIntake intake;
  private final Receivers receivers;
  private final Optional<QueueWatch> queue;
  private volatile Policy policy;
  private volatile Optional<String> notReloaded = Optional.empty();

  private Program(Configuration configuration) throws ConfigException, IOException {
    this.configuration = configuration;
    this.settings = configuration.settings();
    this.policy = settings.policy();
    InputWatch inputs = InputWatch.of(settings);
    inputs.logNone();
    this.firing =
        new FiringAlerts(
            () -> policy.guard().blockingAlerts(),
            settings.get(DrainOptions.ALERTS_EXPIRE),
            InstantSource.system());
    Drivers drivers = Drivers.of(settings, ParallelClusterHost.THIS);
    drivers
        .platformText(ParallelClusterHost.THIS)
        .ifPresent(platform -> LOG.info("who runs the nodes", "platform", platform));
    this.killSwitch = new KillSwitch(settings.pauseFile());
    Scheduler scheduler = drivers.scheduler();
    this.cluster = new WatchedCluster(scheduler, directory);
    AgentPages pages = pages();
    this.agents = new HttpHealthReader(pages, cluster::instanceId);
    this.journal =
        new WatchedJournal(
            JournalFile.open(settings.journal(), Retention.DEFAULT),
            this::decided,
            InstantSource.system());
    this.ports =
        ports(drivers.jobEnder(scheduler), new WatchedRepairs(drivers.repairs(), metrics), pages);
    Controller controller = controller(policy);
    metrics.recover(controller.open().values());
    this.loop =
        new Loop(
            controller,
            settings.get(DrainOptions.INTERVAL),
            this::snapshot,
            InstantSource.system());
    this.state = new State(loop, cluster, journal, killSwitch, () -> notReloaded, inputs);
    this.intake = new RequestIntake(loop);
    this.receivers = Receivers.of(settings, intake, directory, firing);
    this.queue =
        scheduler instanceof JobQueue jobs && settings.get(DrainOptions.QUEUE_INTERVAL).isPresent()
            ? Optional.of(new QueueWatch(jobs, cluster::last))
            : Optional.empty();
    queue.map(QueueCollector::new).ifPresent(metrics::add);
    metrics.add(new StateCollector(state, () -> policy, intake::counts, Main.version()));
  }

  private void decided(Entry entry) {
    metrics.decided(entry);
    intake.decided(entry);
  }

  private Ports ports(JobEnder jobs, WatchedRepairs repairs, AgentPages pages) throws IOException {
    Ports plain =
        Ports.of(
            cluster,
            repairs,
            new ParallelHealthReader(
                agents,
                Daemons.pool("agents-of-round", AGENTS_AT_ONCE),
                settings.get(DrainOptions.AGENT_TIMEOUT)),
            killSwitch);
    Optional<Path> prices = settings.get(DrainOptions.PRICES);
    return new Ports(
        plain.scheduler(),
        plain.repairs(),
        plain.agents(),
        jobs,
        release(),
        evidence(pages).orElse(plain.evidence()),
        test(),
        new AgentCheckpoints(
            pages, Daemons.pool("checkpoints", 1), InstantSource.system(), FIRST_CHECKPOINT_ANSWER),
        prices.isPresent() ? Prices.read(prices.get()) : Prices.NONE,
        plain.stopped(),
        firing);
  }

  private GpuRelease release() {
    return settings
        .get(DrainOptions.RELEASE_PROGRAM)
        .<GpuRelease>map(
            path ->
                new BackgroundRelease(
                    new ExecGpuRelease(
                        new SiteProgram(path, List.of(), settings.get(DrainOptions.REPAIR_TIMEOUT)),
                        agents::gpus),
                    Daemons.withoutQueue("release", PARALLEL_RELEASES)))
        .orElse(GpuRelease.BY_DRIVER);
  }

  private SiteTest test() {
    return settings
        .get(DrainOptions.TEST_PROGRAM)
        .<SiteTest>map(
            path ->
                new ExecSiteTest(
                    new SiteProgram(path, List.of(), settings.get(DrainOptions.TEST_TIMEOUT)),
                    Daemons.pool("test", settings.get(DrainOptions.NODES)),
                    InstantSource.system()))
        .orElse(SiteTest.NO_TEST);
  }

  private Optional<EvidenceStore> evidence(AgentPages pages) {
    int files = settings.get(DrainOptions.EVIDENCE);
    return files == 0
        ? Optional.empty()
        : Optional.of(
            new EvidenceFiles(
                settings.evidence(), new Room(files, MOST_EVIDENCE), pages, journal::recent));
  }

  private AgentPages pages() throws ConfigException {
    ExecutorService threads = Daemons.pool("agents", AGENT_THREADS);
    Optional<Path> file = settings.get(DrainOptions.AGENT_HTTP_CONFIG);
    Optional<SSLContext> tls = Optional.empty();
    Authorization login =
        settings.get(DrainOptions.AGENT_LOGIN).map(Authorization::basic).orElse(Authorization.NONE);
    if (file.isPresent()) {
      ClientConfig config = ClientConfig.read(file.get());
      tls = Optional.of(ClientAccess.context(config));
      if (config.login().isPresent()) {
        Optional<String> header = config.login().map(ClientAccess::basic);
        login = () -> header;
      }
    }
    return new AgentPages(
        settings.get(DrainOptions.AGENT_ADDRESS),
        new JdkHttpGet(tls, settings.get(DrainOptions.AGENT_TIMEOUT), MOST_OF_PAGE, threads),
        login);
  }

  /** Goes on where the journal ends. */
  private Controller controller(Policy policy) {
    return new Controller(policy, ports, journal);
  }

  private Snapshot snapshot(Controller controller) {
    return Snapshot.of(
        controller.state(InstantSource.system().instant()),
        cluster.last(),
        policy.budget(),
        cluster.drainReplaces());
  }

  /** Runs until the process is ended. */
  static void run(Configuration configuration, List<String> args, Map<String, String> environment)
      throws ConfigException, ListenException, IOException, InterruptedException {
    SighupListener sighup = SighupListener.listen();
    sighup
        .unavailable()
        .ifPresent(reason -> LOG.warn("reload by SIGHUP is not available", "reason", reason));
    configuration.allWarnings(ParallelClusterHost.THIS).forEach(warning -> LOG.warn(warning));
    NamedFiles.programs(configuration.settings())
        .forEach(problem -> LOG.warn("configuration", "problem", problem));
    Optional<Leadership> leadership = Drivers.leadership(configuration.settings());
    if (leadership.isPresent()) {
      Standby.await(leadership.get()::notLeading, configuration.settings());
    }
    // Only now: another process may have written the journal until now.
    Program program = new Program(configuration);
    program.serve(sighup, args, environment);
  }

  private void serve(SighupListener sighup, List<String> args, Map<String, String> environment)
      throws ConfigException, ListenException, InterruptedException {
    DrainPages pages =
        new DrainPages(
            state,
            () -> policy,
            receivers,
            directory,
            killSwitch,
            queue,
            metrics,
            InstantSource.system(),
            Main.version());
    List<InheritedSocket> inherited =
        InheritedSocket.in(environment, ProcessHandle.current().pid());
    try (WebServer web =
        WebServer.start(settings.web(), pages::add, metrics, inherited, Timing.USUAL)) {
      LOG.info("lapwing drain", "version", Main.version(), "modes", modes());
      web.logAddresses("");
      Supervisor supervisor = NotifySocket.in(environment);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(supervisor, web), "shutdown"));
      loop.start();
      receivers.start(
          settings,
          agents,
          state.inputs(),
          () -> cluster.last().map(view -> view.nodes().keySet()).orElse(Set.of()),
          () -> policy.freshness());
      queue.ifPresent(this::watch);
      metrics.loaded(true, InstantSource.system().instant());
      boolean unused = supervisor.send("READY=1");
      Reload reload = new Reload(configuration, args, environment);
      MappedPages mapped = new MappedPages();
      while (true) {
        if (!sighup.await(mapped.untilNext())) {
          mapped.release();
          continue;
        }
        Optional<String> problem = reload.run(this::apply, web::limit);
        Instant now = InstantSource.system().instant();
        metrics.loaded(problem.isEmpty(), now);
        notReloaded = problem.map(why -> "at " + now.truncatedTo(ChronoUnit.SECONDS) + ": " + why);
      }
    }
  }

  /** A thread of its own: a slow answer about the queue must not delay a round. */
  private void watch(QueueWatch jobs) {
    Duration every = settings.get(DrainOptions.QUEUE_INTERVAL).orElseThrow();
    Thread thread = new Thread(() -> watch(jobs, every), "queue");
    thread.setDaemon(true);
    thread.start();
  }

  /** At the start the cluster is not seen yet: then, and after a failure, it is read again soon. */
  private static void watch(QueueWatch jobs, Duration every) {
    Duration soon = QUEUE_AGAIN.compareTo(every) < 0 ? QUEUE_AGAIN : every;
    try {
      while (true) {
        try {
          jobs.read(InstantSource.system().instant());
        } catch (RuntimeException e) {
          LOG.error("the queue was not read", e);
        }
        Thread.sleep((jobs.last().problem().isPresent() ? soon : every).toMillis());
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private String modes() {
    return Arrays.stream(Verb.values())
        .map(verb -> verb.word() + "=" + DrainValueTypes.word(policy.mode(verb)))
        .collect(Collectors.joining(" "));
  }

  private static void stop(Supervisor supervisor, WebServer web) {
    boolean unused = supervisor.send("STOPPING=1");
    web.close();
  }

  /** Takes over what can change at run time. */
  private void apply(DrainSettings next) throws IOException {
    loop.change(
        before -> {
          Controller made = controller(next.policy()).after(before);
          policy = next.policy();
          return made;
        },
        next.get(DrainOptions.INTERVAL));
    Logging.change(next.log());
  }
}
