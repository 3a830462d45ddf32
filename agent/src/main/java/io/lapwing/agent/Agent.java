package io.lapwing.agent;

import io.lapwing.agent.config.Configuration;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.web.AgentServer;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.log.Log;
import io.lapwing.common.process.MappedPages;
import io.lapwing.common.process.Service;
import io.lapwing.common.process.Service.Heartbeat;
import io.lapwing.common.process.Service.LoopProbe;
import io.lapwing.common.process.SighupListener;
import io.lapwing.common.web.HeaderEncoders;
import io.lapwing.common.web.WebServer;
import io.lapwing.common.web.WebServer.ListenException;
import io.lapwing.systemd.InheritedSocket;
import io.lapwing.systemd.NotifySocket;
import io.lapwing.systemd.Supervisor;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class Agent {

  private static final Log LOG = Log.of(Agent.class);

  private Agent() {}

  /** Runs until the process ends, or for one scrape. {@code reading} re-reads the configuration. */
  static int run(Configuration configuration, Reload.ConfigReader reading)
      throws ConfigException, ListenException {
    configuration.warnings().forEach(warning -> LOG.warn(warning));
    Settings settings = configuration.settings();
    try (Wiring wiring = new Wiring(settings, PollClock.SYSTEM)) {
      wiring.unavailableFields().forEach(field -> LOG.warn(field));
      wiring.unusedFieldSettings().forEach(setting -> LOG.warn(setting));
      return settings.once() ? once(wiring) : serve(configuration, reading, wiring);
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private static int once(Wiring wiring) throws InterruptedException {
    wiring.startAndAwaitEvaluation();
    PrintStream out = System.out;
    out.writeBytes(wiring.page().page(PageFormat.TEXT_0_0_4));
    out.flush();
    return 0;
  }

  private static int serve(Configuration configuration, Reload.ConfigReader reading, Wiring wiring)
      throws ConfigException, ListenException, InterruptedException {
    SighupListener sighup = SighupListener.listen();
    sighup
        .unavailable()
        .ifPresent(
            reason ->
                LOG.warn(
                    "reload by SIGHUP is not available; restart the agent to change its"
                        + " configuration",
                    "reason",
                    reason));
    Settings settings = configuration.settings();
    if (settings.web().configFile().isEmpty()) {
      HeaderEncoders.withoutHttp2();
    }
    try (WebServer web =
        AgentServer.start(
            settings.web(),
            wiring.content(),
            wiring.own().requests(),
            InheritedSocket.in(System.getenv(), ProcessHandle.current().pid()))) {
      logBuild(settings, wiring);
      wiring.start();
      Supervisor supervisor = NotifySocket.in(System.getenv());
      Service service = service(supervisor, wiring, web);
      Thread hook = new Thread(new ShutdownHook(() -> stop(service, web, wiring)), "shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      logAddresses(settings, wiring, web);
      if (supervisor != Supervisor.NONE) {
        service.start();
      }
      Reload reload = new Reload(configuration, reading, wiring, web::limit);
      MappedPages pages = new MappedPages();
      while (true) {
        if (sighup.await(pages.untilNext())) {
          reload.run();
        } else {
          pages.release();
        }
      }
    }
  }

  private static Service service(Supervisor supervisor, Wiring wiring, WebServer web) {
    List<Heartbeat> heartbeats = new ArrayList<>();
    heartbeats.add(new LoopProbe(wiring.poller()::afterNextCheck));
    web.loops().forEach(loop -> heartbeats.add(new LoopProbe(loop)));
    return new Service(
        supervisor,
        NotifySocket.watchdog(System.getenv(), ProcessHandle.current().pid()),
        wiring::status,
        heartbeats,
        System::nanoTime);
  }

  /** Before anything is read, since a source that has nothing to read logs that at once. */
  private static void logBuild(Settings settings, Wiring wiring) {
    LOG.info(
        "lapwing",
        "version",
        wiring.build().version(),
        "revision",
        wiring.build().revision(),
        "java",
        wiring.build().javaVersion(),
        "hostname",
        settings.hostname());
    OpenFileLimit.tooLow()
        .ifPresent(
            limit ->
                LOG.warn(
                    "the limit of open files is low; series of a large node may be missing. Raise"
                        + " LimitNOFILE or ulimit -n",
                    "limit",
                    limit,
                    "enough",
                    OpenFileLimit.ENOUGH));
  }

  private static void logAddresses(Settings settings, Wiring wiring, WebServer web) {
    if (wiring.simulated()) {
      LOG.warn("this node is simulated: no value of it is real");
    }
    web.logAddresses(settings.web().telemetryPath());
  }

  /**
   * Runs in the shutdown hook: a source that hangs in the driver must not keep the process. Nothing
   * can be logged here, since java.util.logging closes its handlers in a hook of its own.
   */
  private static void stop(Service service, WebServer web, Wiring wiring) {
    service.stopping();
    wiring.close();
    web.close();
  }

  /** Shuts down within a time limit, even if a thread hangs in a driver or on a disk. */
  record ShutdownHook(Runnable closing) implements Runnable {

    /** Leaves time for the JVM to wait for threads in native code. */
    private static final Duration LIMIT = Duration.ofMillis(1_500);

    /** The exit status of a JVM after SIGTERM: 128 plus the signal number. */
    private static final int SIGTERM_STATUS = 143;

    @Override
    public void run() {
      Thread limit = new Thread(ShutdownHook::halt, "shutdown-limit");
      limit.setDaemon(true);
      limit.start();
      closing.run();
    }

    private static void halt() {
      try {
        Thread.sleep(LIMIT.toMillis());
        Runtime.getRuntime().halt(SIGTERM_STATUS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
