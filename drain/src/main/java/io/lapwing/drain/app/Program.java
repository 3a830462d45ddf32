package io.lapwing.drain.app;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.log.Log;
import io.lapwing.common.log.Logging;
import io.lapwing.common.process.SighupListener;
import io.lapwing.common.web.WebServer;
import io.lapwing.common.web.WebServer.ListenException;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.guard.Guard;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.guard.Taken;
import io.lapwing.drain.intake.NodeDirectory;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.agents.Authorization;
import io.lapwing.drain.intake.agents.HttpHealthReader;
import io.lapwing.drain.intake.agents.JdkHttpGet;
import io.lapwing.drain.journal.JournalFile;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.remediation.Remediation;
import io.lapwing.systemd.InheritedSocket;
import io.lapwing.systemd.NotifySocket;
import io.lapwing.systemd.Supervisor;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** The running controller: everything is constructed here, top to bottom. */
final class Program {
  private static final Log LOG = Log.of(Program.class);
  private static final int MOST_HEALTH = 1 << 20;
  private static final int AGENT_THREADS = 4;

  private final Configuration configuration;
  private final DrainSettings settings;
  private final AtomicReference<Policy> policy;
  private final NodeDirectory directory = new NodeDirectory();
  private final DrainMetrics metrics = new DrainMetrics();
  private final KillSwitch killSwitch;
  private final WatchedCluster cluster;
  private final WatchedRepairs repairs;
  private final HttpHealthReader agents;
  private final WatchedJournal journal;
  private final Loop loop;
  private final State state;
  private final Receivers receivers;

  private Program(Configuration configuration) throws ConfigException, IOException {
    this.configuration = configuration;
    this.settings = configuration.settings();
    this.policy = new AtomicReference<>(settings.policy());
    Drivers drivers = Drivers.of(settings);
    this.killSwitch = new KillSwitch(settings.pauseFile());
    this.cluster = new WatchedCluster(drivers.scheduler(), directory);
    this.repairs = new WatchedRepairs(drivers.repairs(), metrics);
    this.agents = agents();
    this.journal = new WatchedJournal(JournalFile.open(settings.journal()), metrics::decided);
    Controller controller = controller();
    metrics.recover(controller.open().values());
    this.loop =
        new Loop(
            controller,
            settings.get(DrainOptions.INTERVAL),
            this::snapshot,
            InstantSource.system());
    this.state = new State(loop, cluster, journal, killSwitch);
    RequestIntake intake = new RequestIntake(loop);
    this.receivers = Receivers.of(settings, intake, directory);
    metrics.add(new StateCollector(state, policy::get, intake::counts, Main.version()));
  }

  private HttpHealthReader agents() {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            AGENT_THREADS,
            work -> {
              Thread thread = new Thread(work, "agents");
              thread.setDaemon(true);
              return thread;
            });
    return new HttpHealthReader(
        settings.get(DrainOptions.AGENT_ADDRESS),
        new JdkHttpGet(
            Optional.empty(), settings.get(DrainOptions.AGENT_TIMEOUT), MOST_HEALTH, threads),
        settings
            .get(DrainOptions.AGENT_LOGIN)
            .map(Authorization::basic)
            .orElse(Authorization.NONE),
        node -> cluster.instanceId(node));
  }

  /** Goes on where the journal ends. */
  private Controller controller() {
    return new Controller(policy.get(), cluster, repairs, agents, journal, killSwitch);
  }

  private Snapshot snapshot(Controller controller) {
    return new Snapshot(
        Optional.of(InstantSource.system().instant()),
        controller.open(),
        controller.waiting(),
        cluster.last().map(view -> brake(controller, view)).orElse(List.of()));
  }

  /** What stands against taking any node. */
  private List<Objection> brake(Controller controller, ClusterView view) {
    Set<io.lapwing.drain.cluster.NodeName> held =
        controller.open().values().stream()
            .filter(one -> one.phase().holdsNode())
            .map(Remediation::node)
            .collect(Collectors.toSet());
    List<Taken> taken =
        journal.recent().stream()
            .map(entry -> entry.state())
            .filter(one -> one.taken().isPresent())
            .map(one -> new Taken(one.node(), one.taken().orElseThrow()))
            .distinct()
            .toList();
    return Guard.general(policy.get().budget(), view, held, taken);
  }

  /** Runs until the process is ended. */
  static void run(Configuration configuration, List<String> args, Map<String, String> environment)
      throws ConfigException, ListenException, IOException, InterruptedException {
    SighupListener sighup = SighupListener.listen();
    sighup
        .unavailable()
        .ifPresent(reason -> LOG.warn("reload by SIGHUP is not available", "reason", reason));
    configuration.warnings().forEach(warning -> LOG.warn(warning));
    Program program = new Program(configuration);
    program.serve(sighup, args, environment);
  }

  private void serve(SighupListener sighup, List<String> args, Map<String, String> environment)
      throws ConfigException, ListenException, InterruptedException {
    DrainPages pages =
        new DrainPages(
            state,
            policy::get,
            receivers,
            directory,
            killSwitch,
            metrics,
            InstantSource.system(),
            Main.version());
    List<InheritedSocket> inherited =
        InheritedSocket.in(environment, ProcessHandle.current().pid());
    try (WebServer web =
        WebServer.start(
            settings.web(),
            pages::add,
            metrics,
            inherited,
            io.lapwing.common.web.ResponseQuota.Timing.USUAL)) {
      LOG.info("lapwing drain", "version", Main.version(), "modes", policy.get().modes());
      web.urls().forEach(url -> LOG.info("listening", "address", url));
      Supervisor supervisor = NotifySocket.in(environment);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    boolean unused = supervisor.send("STOPPING=1");
                    web.close();
                  },
                  "shutdown"));
      loop.start();
      receivers.start(
          settings,
          agents,
          () -> cluster.last().map(view -> view.nodes().keySet()).orElse(Set.of()));
      boolean unused = supervisor.send("READY=1");
      Reload reload = new Reload(configuration, args, environment);
      while (true) {
        sighup.await();
        reload.run(this::apply, web);
      }
    }
  }

  /** Takes over what can change at run time. */
  private void apply(DrainSettings next) throws IOException {
    policy.set(next.policy());
    loop.change(this::controller, next.get(DrainOptions.INTERVAL));
    Logging.change(next.log());
  }
}
