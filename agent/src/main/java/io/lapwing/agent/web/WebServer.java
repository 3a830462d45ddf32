package io.lapwing.agent.web;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.servlet.JavalinServlet;
import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.config.ListenAddress;
import io.lapwing.agent.config.WebSettings;
import io.lapwing.agent.log.Log;
import io.lapwing.agent.metrics.RequestMeter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * Serves the agent's pages. Javalin routes; the Jetty around it is put together here and not by
 * Javalin, which brings sessions, web sockets and monitors that cost threads and start-up time.
 */
public final class WebServer implements AutoCloseable {
  private static final Log LOG = Log.of(WebServer.class);

  /** Requests hold no thread while a client reads, so these few answer any number of clients. */
  private static final int WORKERS = 3;

  private static final int MOST_CONNECTIONS = 256;

  /** Each may hold a record of TLS that is not complete, of 17 kB outside of the heap. */
  private static final int MOST_ENCRYPTED_CONNECTIONS = 128;

  private static final int IDLE_THREAD_MILLIS = 60_000;
  private static final int STOP_MILLIS = 500;

  private final Server server;
  private final List<Listener> listeners;

  private final Optional<WebSecurity> security;

  private final RequestLimit limit;

  private WebServer(
      Server server, List<Listener> listeners, Optional<WebSecurity> security, RequestLimit limit) {
    this.limit = limit;
    this.server = server;
    this.listeners = listeners;
    this.security = security;
  }

  /**
   * Listens on all addresses and answers.
   *
   * @throws ConfigException if the web configuration file is wrong; with all its problems
   * @throws ListenException if one of the addresses cannot be had; then none is listened on
   */
  public static WebServer start(WebSettings settings, WebContent content, RequestMeter meter)
      throws ConfigException, ListenException {
    Optional<WebSecurity> security =
        settings.configFile().isPresent()
            ? Optional.of(WebSecurity.open(settings.configFile().get()))
            : Optional.empty();
    boolean encrypted = security.map(WebSecurity::encrypted).orElse(false);
    ConnectionLimiter crowd =
        new ConnectionLimiter(encrypted ? MOST_ENCRYPTED_CONNECTIONS : MOST_CONNECTIONS);
    Server server = server(settings.listenAddresses().size());
    RequestLimit limit = new RequestLimit(settings.maxRequests());
    Handler pages = handler(settings.telemetryPath(), limit, content, meter);
    server.setHandler(new AuthHandler(pages, security, crowd, meter));
    server.setErrorHandler(new PlainErrors());
    List<Listener> listeners = open(settings.listenAddresses(), server, crowd, security);
    WebServer web = new WebServer(server, listeners, security, limit);
    try {
      server.start();
    } catch (Exception e) {
      web.close();
      throw new IllegalStateException("the web server does not start", e);
    }
    return web;
  }

  /** Another limit of scrapes in flight; 0 for none. */
  public void limit(int maxRequests) {
    limit.change(maxRequests);
  }

  /** The addresses listened on, with the port that was taken for port 0. */
  public List<InetSocketAddress> addresses() {
    return listeners.stream().map(Listener::address).toList();
  }

  /** The same as a person types them, such as {@code http://localhost:9754}. */
  public List<String> urls() {
    return listeners.stream().map(Listener::url).toList();
  }

  /** One for each address: what is handed to it runs when a request would have its turn. */
  public List<Consumer<Runnable>> loops() {
    return listeners.stream().<Consumer<Runnable>>map(listener -> listener::inTurn).toList();
  }

  /** Lets requests in flight end for half a second, then ends them. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (TimeoutException e) {
      LOG.debug("requests in flight were ended");
    } catch (Exception e) {
      // The process is about to end; nothing is left to be done about it.
      LOG.warn("the web server did not stop cleanly", "reason", e);
    }
    security.ifPresent(WebSecurity::close);
  }

  private static List<Listener> open(
      List<ListenAddress> addresses,
      Server server,
      ConnectionLimiter crowd,
      Optional<WebSecurity> security)
      throws ListenException {
    List<Listener> listeners = new ArrayList<>();
    try {
      for (ListenAddress address : addresses) {
        listeners.add(Listener.open(address, server, crowd, security));
      }
    } catch (ListenException e) {
      listeners.forEach(Listener::close);
      throw e;
    }
    return List.copyOf(listeners);
  }

  private static Server server(int listeners) {
    int threads = listeners + WORKERS;
    QueuedThreadPool pool = new QueuedThreadPool(threads, listeners + 1, IDLE_THREAD_MILLIS);
    pool.setName("http");
    pool.setReservedThreads(0);
    pool.setStopTimeout(STOP_MILLIS);
    Server server = new Server(pool, new ScheduledExecutorScheduler("http-timeouts", true), null);
    server.setStopTimeout(STOP_MILLIS);
    return server;
  }

  private static ServletContextHandler handler(
      String telemetryPath, RequestLimit limit, WebContent content, RequestMeter meter) {
    Javalin javalin =
        Javalin.create(
            config -> {
              quiet(config);
              Routes.add(config.routes, telemetryPath, limit, content, meter);
            });
    ServletContextHandler context = new ServletContextHandler("/", false, false);
    context.addServlet(new ServletHolder(new JavalinServlet(javalin.unsafe)), "/*");
    return context;
  }

  private static void quiet(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.prefer405over404 = true;
    config.router.ignoreTrailingSlashes = false;
    config.jsonMapper(NoJson.INSTANCE);
  }
}
