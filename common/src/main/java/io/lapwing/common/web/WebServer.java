package io.lapwing.common.web;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.servlet.JavalinServlet;
import io.javalin.json.JsonMapper;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.log.Log;
import io.lapwing.common.web.ResponseQuota.Timing;
import io.lapwing.systemd.InheritedSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * The HTTP server. Jetty is configured here because Javalin's defaults (sessions, web sockets,
 * monitors) cost threads and start-up time.
 */
public final class WebServer implements AutoCloseable {
  private static final Log LOG = Log.of(WebServer.class);

  /** Few are enough: writes are asynchronous, so slow clients block no thread. */
  private static final int WORKERS = 3;

  private static final int MAX_CONNECTIONS = 256;

  /** Each may hold an incomplete TLS record of 17 kB off heap. */
  private static final int MAX_TLS_CONNECTIONS = 128;

  private static final int IDLE_THREAD_MILLIS = 60_000;
  private static final int STOP_MILLIS = 500;

  private final Server server;
  private final List<Listener> listeners;

  private final List<LocalSocket> sockets;

  private final Optional<WebSecurity> security;

  private final ResponseQuota scrapes;

  private final Submissions submissions;

  private WebServer(
      Server server,
      List<Listener> listeners,
      List<LocalSocket> sockets,
      Optional<WebSecurity> security,
      ResponseQuota scrapes,
      Submissions submissions) {
    this.submissions = submissions;
    this.sockets = sockets;
    this.scrapes = scrapes;
    this.server = server;
    this.listeners = listeners;
    this.security = security;
  }

  /**
   * Binds all addresses and serves, or throws for an invalid file or address; then none stays
   * bound.
   *
   * @param pages adds the pages to the routes
   * @param inherited the sockets that the service manager holds; they are used where they match
   */
  public static WebServer start(
      WebSettings settings,
      Consumer<Routes> pages,
      RequestMeter meter,
      List<InheritedSocket> inherited,
      Timing timing)
      throws ConfigException, ListenException {
    Optional<WebSecurity> security =
        settings.configFile().isPresent()
            ? Optional.of(WebSecurity.open(settings.configFile().get()))
            : Optional.empty();
    boolean encrypted = security.map(WebSecurity::encrypted).orElse(false);
    ConnectionLimiter connections =
        new ConnectionLimiter(encrypted ? MAX_TLS_CONNECTIONS : MAX_CONNECTIONS);
    List<ListenAddress> addresses = addresses(settings, inherited);
    Server server = server(Math.max(addresses.size(), inherited.size()));
    ResponseQuota scrapes =
        new ResponseQuota(settings.maxRequests(), Routes.SCRAPE_BUDGET_BYTES, timing);
    Submissions submissions = new Submissions();
    ScrapeHandler routed = handler(scrapes, submissions, pages, meter);
    server.setErrorHandler(new PlainErrors());
    List<Listener> listeners =
        Listeners.open(addresses, inherited, new Listener.Serving(server, connections, security));
    boolean restricted =
        settings.closedSocket() || security.map(WebSecurity::restricted).orElse(false);
    List<LocalSocket> sockets = sockets(settings, restricted, listeners);
    AuthHandler checked =
        new AuthHandler(
            routed,
            security,
            restricted,
            sockets.stream().map(LocalSocket::owner).collect(Collectors.toSet()),
            settings.hosts(),
            submissions,
            connections,
            meter);
    // TLS, and files that change, keep a thread busy or waiting.
    server.setHandler(
        security.isPresent() ? checked : new WorkerHandler(routed::isScrape, checked));
    WebServer web = new WebServer(server, listeners, sockets, security, scrapes, submissions);
    try {
      server.start();
      for (LocalSocket socket : sockets) {
        listeners.get(0).alsoServe(socket);
      }
    } catch (Exception e) {
      web.close();
      throw new IllegalStateException("the web server failed to start", e);
    }
    return web;
  }

  private static List<ListenAddress> addresses(
      WebSettings settings, List<InheritedSocket> inherited) throws ConfigException {
    if (!settings.systemdSocket()) {
      return settings.listenAddresses().stream().filter(one -> one.socket().isEmpty()).toList();
    }
    if (inherited.isEmpty()) {
      throw new ConfigException(
          List.of(
              "web.systemd-socket: systemd passed no listening TCP socket; see lapwing.socket"));
    }
    return inherited.stream().map(socket -> ListenAddress.of(socket.address())).toList();
  }

  /** The sockets of listen addresses must be bound, the one for commands only if possible. */
  private static List<LocalSocket> sockets(
      WebSettings settings, boolean restricted, List<Listener> listeners) throws ListenException {
    List<LocalSocket> sockets = new ArrayList<>();
    settings
        .unixSocket()
        .flatMap(path -> LocalSocket.open(path, restricted))
        .ifPresent(sockets::add);
    for (ListenAddress address : settings.listenAddresses()) {
      if (address.socket().isPresent() && !settings.systemdSocket()) {
        try {
          sockets.add(LocalSocket.bind(address.socket().get(), restricted));
          LOG.info("listening", "address", address);
        } catch (IOException | RuntimeException e) {
          sockets.forEach(LocalSocket::close);
          listeners.forEach(Listener::close);
          throw new ListenException(address, e);
        }
      }
    }
    return List.copyOf(sockets);
  }

  /** Changes the limit of concurrent scrapes; 0 for none. */
  public void limit(int maxRequests) {
    scrapes.setMax(maxRequests);
  }

  /** The bound addresses, with the actual port for port 0. */
  public List<InetSocketAddress> addresses() {
    return listeners.stream().map(Listener::address).toList();
  }

  /** The URLs of the addresses, such as {@code http://localhost:9754}. */
  public List<String> urls() {
    return listeners.stream().map(Listener::url).toList();
  }

  /** Logs the URL of {@code path} at each address, and whether other hosts reach it. */
  public void logAddresses(String path) {
    for (Listener listener : listeners) {
      boolean all = listener.address().getAddress().isAnyLocalAddress();
      LOG.info(all ? "listening on all interfaces" : "listening", "address", listener.url() + path);
    }
  }

  /** One executor per address; a task runs when a request would. See {@link Listener#inTurn}. */
  public List<Consumer<Runnable>> loops() {
    return listeners.stream().<Consumer<Runnable>>map(listener -> listener::inTurn).toList();
  }

  /** Stops gracefully: requests in flight get half a second. */
  @Override
  public void close() {
    sockets.forEach(LocalSocket::close);
    try {
      server.stop();
    } catch (TimeoutException e) {
      LOG.debug("aborted requests in flight");
    } catch (Exception e) {
      // The process is about to exit.
      LOG.warn("the web server did not stop cleanly", "reason", e);
    }
    submissions.close();
    security.ifPresent(WebSecurity::close);
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

  private static ScrapeHandler handler(
      ResponseQuota scrapes, Submissions submissions, Consumer<Routes> pages, RequestMeter meter) {
    Map<String, Route> scraped = new HashMap<>();
    Javalin javalin =
        Javalin.create(
            config -> {
              quiet(config);
              pages.accept(Routes.in(config.routes, scraped, scrapes, submissions, meter));
            });
    ServletContextHandler context = new ServletContextHandler("/", false, false);
    context.addServlet(new ServletHolder(new JavalinServlet(javalin.unsafe)), "/*");
    return new ScrapeHandler(scraped, context);
  }

  private static void quiet(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.prefer405over404 = true;
    config.router.ignoreTrailingSlashes = false;
    config.jsonMapper(NoJson.INSTANCE);
  }

  /** Prevents Javalin from creating a JSON mapper on the first request. */
  private enum NoJson implements JsonMapper {
    INSTANCE
  }

  /** Plain-text errors for requests that Jetty itself rejects, such as an oversized header. */
  private static final class PlainErrors implements Request.Handler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      byte[] text = ("refused: " + response.getStatus() + "\n").getBytes(StandardCharsets.UTF_8);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
      response.getHeaders().put("X-Content-Type-Options", "nosniff");
      response.write(true, ByteBuffer.wrap(text), callback);
      return true;
    }
  }

  /** A listen address could not be bound; the message names it. */
  public static final class ListenException extends Exception {

    ListenException(ListenAddress address, Throwable cause) {
      super("web.listen-address: cannot listen on " + address + ": " + reason(cause), cause);
    }

    /** The root cause has the message of the operating system. */
    private static String reason(Throwable thrown) {
      Throwable bottom = thrown;
      while (bottom.getCause() != null) {
        bottom = bottom.getCause();
      }
      String message = bottom.getMessage();
      return message == null ? bottom.getClass().getSimpleName() : message;
    }
  }
}
