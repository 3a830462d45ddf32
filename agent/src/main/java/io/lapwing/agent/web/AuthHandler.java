package io.lapwing.agent.web;

import io.lapwing.agent.config.WebConfig;
import io.lapwing.agent.log.Log;
import io.lapwing.agent.metrics.RequestMeter;
import io.lapwing.agent.web.security.Credentials;
import io.lapwing.agent.web.security.Passwords;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Checks every request before routing, in exporter-toolkit's order: configuration (500), rate limit
 * (429), user (401). Rejects all but GET and HEAD (405), and bodies (413).
 */
final class AuthHandler extends Handler.Wrapper {
  private static final Log LOG = Log.of(AuthHandler.class);

  /** The handler label of requests that match no route. */
  private static final String NAME = "other";

  private static final int MISDIRECTED = 421;

  private static final Set<String> PROBES = Set.of("/-/healthy", "/-/ready");

  private final Optional<WebSecurity> security;
  private final boolean trustsLocal;
  private final KnownHosts hosts;
  private final ConnectionLimiter connections;
  private final RequestMeter meter;

  /**
   * Without {@code security} every request is accepted. {@code trustsLocal}: so are those over the
   * Unix socket, which only root and the agent's group can open.
   */
  AuthHandler(
      Handler pages,
      Optional<WebSecurity> security,
      boolean trustsLocal,
      KnownHosts hosts,
      ConnectionLimiter connections,
      RequestMeter meter) {
    super(pages);
    this.security = security;
    this.trustsLocal = trustsLocal;
    this.hosts = hosts;
    this.connections = connections;
    this.meter = meter;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    connections.requestStarted(request);
    GuardedRequest guarded = new GuardedRequest(request, response, callback, meter);
    if (trustsLocal && isLocal(request)) {
      return guarded.isRefused() || super.handle(request, response, callback);
    }
    if (security.isEmpty()) {
      return guarded.isRefused()
          || isOfAStranger(guarded)
          || super.handle(request, response, callback);
    }
    WebConfig config = security.get().config();
    if (config == null) {
      return guarded.refuse(500, "the web configuration is invalid; see the agent's log");
    }
    if (isOverItsRate(security.get(), config, guarded)) {
      return guarded.refuse(429, "too many requests");
    }
    config.headers().forEach(response.getHeaders()::put);
    if (guarded.isRefused()) {
      return true;
    }
    return config.users().isEmpty()
        ? isOfAStranger(guarded) || super.handle(request, response, callback)
        : authenticate(config, security.get().passwords(), guarded);
  }

  /** With TLS or passwords a stranger's page gets nothing anyway. */
  private boolean isOfAStranger(GuardedRequest guarded) {
    return !guarded.request().getConnectionMetaData().isSecure()
        && !isLocal(guarded.request())
        && hosts.isRefused(guarded.request())
        && guarded.refuse(MISDIRECTED, "unknown host name; see --web.allowed-hosts");
  }

  private static boolean isLocal(Request request) {
    return request.getConnectionMetaData().getLocalSocketAddress()
        instanceof UnixDomainSocketAddress;
  }

  /** A client with a password that was right lately has a limit of its own. */
  private record RatedClient(RemoteHost host, Optional<String> user) {}

  /**
   * Probes are not counted: who sends too much must not have the agent restarted. But a guess of a
   * password is, wherever it is sent.
   */
  private static boolean isOverItsRate(
      WebSecurity security, WebConfig config, GuardedRequest guarded) {
    if (!security.hasRateLimit()) {
      return false;
    }
    Optional<Credentials> given =
        config.users().isEmpty()
            ? Optional.empty()
            : Credentials.of(guarded.header(HttpHeader.AUTHORIZATION));
    Optional<String> user =
        given
            .filter(one -> security.passwords().isAccepted(one, config.users()))
            .map(Credentials::user);
    if (PROBES.contains(Request.getPathInContext(guarded.request()))
        && given.isPresent() == user.isPresent()) {
      return false;
    }
    return security.rateLimited(new RatedClient(guarded.host(), user));
  }

  private boolean authenticate(WebConfig config, Passwords passwords, GuardedRequest guarded)
      throws Exception {
    Optional<Credentials> given = Credentials.of(guarded.header(HttpHeader.AUTHORIZATION));
    if (given.isEmpty()) {
      return guarded.refuseUnauthorized();
    }
    CompletableFuture<Passwords.Result> result =
        passwords.check(given.get(), config.users(), guarded.host());
    if (result.isDone()) {
      return finish(result.join(), guarded);
    }
    // Do not block a server thread while the password is hashed.
    CompletableFuture<Void> unused =
        result.thenAcceptAsync(
            outcome -> finishLater(outcome, guarded), getServer().getThreadPool());
    return true;
  }

  private void finishLater(Passwords.Result result, GuardedRequest guarded) {
    try {
      if (!finish(result, guarded)) {
        guarded.refuse(404, "not found");
      }
    } catch (Exception e) {
      LOG.error("request failed", e, "handler", NAME);
      guarded.callback().failed(e);
    }
  }

  private boolean finish(Passwords.Result result, GuardedRequest guarded) throws Exception {
    return switch (result) {
      case RIGHT -> super.handle(guarded.request(), guarded.response(), guarded.callback());
      case WRONG -> guarded.refuseUnauthorized();
      case BUSY -> guarded.refuse(503, "too many concurrent password checks");
    };
  }

  /** A request that has not been authorized yet. */
  private record GuardedRequest(
      Request request, Response response, Callback callback, RequestMeter meter) {

    RemoteHost host() {
      return RemoteHost.of(request.getConnectionMetaData().getRemoteSocketAddress());
    }

    @Nullable String header(HttpHeader name) {
      return request.getHeaders().get(name);
    }

    /** Refuses an unsupported method and a body; returns whether it did. */
    boolean isRefused() {
      String method = request.getMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
        return refuse(405, "only GET and HEAD are supported");
      }
      if (request.getLength() > 0 || header(HttpHeader.TRANSFER_ENCODING) != null) {
        return refuse(413, "request bodies are not supported");
      }
      return false;
    }

    boolean refuseUnauthorized() {
      response
          .getHeaders()
          .put(new HttpField(HttpHeader.WWW_AUTHENTICATE, "Basic realm=\"lapwing\""));
      return refuse(401, "user name and password required");
    }

    boolean refuse(int status, String sentence) {
      meter.started();
      byte[] text = (sentence + "\n").getBytes(StandardCharsets.UTF_8);
      response.setStatus(status);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
      response.getHeaders().put("X-Content-Type-Options", "nosniff");
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, text.length);
      response.write(
          true,
          ByteBuffer.wrap(request.getMethod().equals("HEAD") ? new byte[0] : text),
          Callback.from(callback, () -> meter.answered(NAME, status)));
      return true;
    }
  }
}
