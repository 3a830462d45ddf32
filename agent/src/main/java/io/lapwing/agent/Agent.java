package io.lapwing.agent;

import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.http.ListenException;
import io.lapwing.agent.http.WebServer;
import io.lapwing.agent.log.Log;
import io.lapwing.agent.memory.StartPages;
import io.lapwing.agent.poll.PollClock;
import io.lapwing.agent.scrape.PageFormat;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The agent from start to end. */
final class Agent {

  private static final Log LOG = Log.of(Agent.class);

  private static final Duration STEP = Duration.ofMillis(10);

  private Agent() {}

  /** Runs until the process is told to end, or for one page. */
  static int run(Settings settings, List<String> warnings) throws ConfigException, ListenException {
    warnings.forEach(warning -> LOG.warn(warning));
    try (Wiring wiring = new Wiring(settings, PollClock.SYSTEM)) {
      wiring.unavailableFields().forEach(field -> LOG.warn(field));
      return settings.once() ? once(settings, wiring) : serve(settings, wiring);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private static int once(Settings settings, Wiring wiring) throws InterruptedException {
    wiring.start();
    Duration patience = settings.cadence().deadline().multipliedBy(2);
    for (Duration waited = Duration.ZERO;
        !wiring.judged() && waited.compareTo(patience) < 0;
        waited = waited.plus(STEP)) {
      Thread.sleep(STEP.toMillis());
    }
    PrintStream out = System.out;
    out.writeBytes(wiring.page().page(PageFormat.TEXT_0_0_4));
    out.flush();
    return 0;
  }

  private static int serve(Settings settings, Wiring wiring)
      throws ConfigException, ListenException, InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    try (WebServer web =
        WebServer.start(settings.web(), wiring.content(), wiring.own().requests())) {
      introduce(settings, wiring);
      wiring.start();
      Thread hook = new Thread(() -> stop(web, wiring), "shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      say(settings, wiring, web);
      Duration pause = StartPages.START;
      while (!end.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        StartPages.letGo();
        pause = StartPages.AGAIN;
      }
    }
    return 0;
  }

  /** Before anything is read, since a source that has nothing to read says so at once. */
  private static void introduce(Settings settings, Wiring wiring) {
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
  }

  private static void say(Settings settings, Wiring wiring, WebServer web) {
    if (wiring.simulated()) {
      LOG.warn("this node is simulated: no value of it is real");
    }
    for (String url : web.urls()) {
      LOG.info("listening", "address", url + settings.web().telemetryPath());
    }
  }

  /**
   * Runs in the shutdown hook: a source that hangs in the driver must not keep the process. Nothing
   * can be said here, since java.util.logging closes its handlers in a hook of its own.
   */
  private static void stop(WebServer web, Wiring wiring) {
    web.close();
    wiring.close();
  }
}
