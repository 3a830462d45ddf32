package io.lapwing.common.web;

import io.lapwing.common.config.WebConfig;
import io.lapwing.common.log.Log;
import io.lapwing.common.web.security.Credentials;
import io.lapwing.common.web.security.Passwords;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Checks every request before routing, in exporter-toolkit's order: configuration (500), rate limit
 * (429), user (401). Rejects all but GET and HEAD (405), and bodies (413), except POST to the paths
 * of {@link Submissions} from permitted senders (403).
 */
final class AuthHandler extends Handler.Wrapper {
  private static final Log LOG = Log.of(AuthHandler.class);

  /** The attribute with the name of the user who submits something. */
  static final String USER = "lapwing.user";

  /** The handler label of requests that match no route. */
  private static final String NAME = "other";

  private static final int MISDIRECTED = 421;

  private static final Set<String> PROBES = Set.of("/-/healthy", "/-/ready");

  private final Optional<WebSecurity> security;
  private final boolean socketRestricted;
  private final Set<UserPrincipal> servers;
  private final KnownHosts hosts;
  private final Submissions submissions;
  private final ConnectionLimiter connections;
  private final RequestMeter meter;

  /**
   * Without {@code security} every request is accepted. {@code socketRestricted}: so are those over
   * the Unix socket, which only root and the group of the process can open. A socket that was
   * opened for all, before the configuration demanded passwords or certificates, is trusted for
   * root and {@code servers}, the owners of the sockets.
   */
  AuthHandler(
      Handler pages,
      Optional<WebSecurity> security,
      boolean socketRestricted,
      Set<UserPrincipal> servers,
      KnownHosts hosts,
      Submissions submissions,
      ConnectionLimiter connections,
      RequestMeter meter) {
    super(pages);
    this.security = security;
    this.socketRestricted = socketRestricted;
    this.servers = Set.copyOf(servers);
    this.hosts = hosts;
    this.submissions = submissions;
    this.connections = connections;
    this.meter = meter;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    connections.requestStarted(request);
    GuardedRequest guarded = new GuardedRequest(request, response, callback, submissions, meter);
    if (isTrusted(request)) {
      return guarded.isRefused() || serve(() -> Sender.peer(request), guarded);
    }
    if (security.isEmpty()) {
      return guarded.isRefused() || isOfAStranger(guarded) || serve(Optional::empty, guarded);
    }
    WebConfig config = security.get().config();
    if (config == null) {
      return guarded.refuse(500, "the web configuration is invalid; see the server's log");
    }
    if (isOverItsRate(security.get(), config, guarded)) {
      return guarded.refuse(429, "too many requests");
    }
    config.headers().forEach(response.getHeaders()::put);
    if (guarded.isRefused()) {
      return true;
    }
    return config.users().isEmpty()
        ? isOfAStranger(guarded) || serve(() -> Sender.certified(request, config), guarded)
        : authenticate(config, security.get().passwords(), guarded);
  }

  private boolean isTrusted(Request request) {
    return Sender.isLocal(request)
        && (socketRestricted || (isRestricted() && Sender.isRootOr(servers, request)));
  }

  private boolean isRestricted() {
    return security.map(WebSecurity::restricted).orElse(false);
  }

  /** Not needed with TLS or passwords, which a foreign web page does not pass. */
  private boolean isOfAStranger(GuardedRequest guarded) {
    if (Sender.isLocal(guarded.request())) {
      return isRestricted() && guarded.refuse(403, "client certificates are required");
    }
    return !guarded.request().getConnectionMetaData().isSecure()
        && hosts.isRefused(guarded.request())
        && guarded.refuse(MISDIRECTED, "unknown host name; see --web.allowed-hosts");
  }

  /** Passes a request to its route; a submission needs a user. */
  private boolean serve(Supplier<Optional<String>> sender, GuardedRequest guarded)
      throws Exception {
    if (guarded.submits().equals(Optional.of(Submissions.From.USER))) {
      Optional<String> user = sender.get();
      if (user.isEmpty()) {
        return guarded.refuse(
            403,
            "only for authenticated users: over the Unix socket, or with basic_auth_users or"
                + " verified client certificates in --web.config.file");
      }
      // A foreign web page can make a browser send text with its stored password.
      if (!guarded.isJson()) {
        return guarded.refuse(415, "Content-Type has to be application/json");
      }
      guarded.request().setAttribute(USER, user.get());
    }
    return super.handle(guarded.request(), guarded.response(), guarded.callback());
  }

  /** A client whose password was recently accepted has a limit of its own. */
  private record RatedClient(RemoteHost host, Optional<String> user) {}

  /**
   * Probes are not counted, so that a flood does not cause a restart of the agent. Guesses of
   * passwords are, on any path.
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
      return finish(result.join(), given.get().user(), guarded);
    }
    // Do not block a server thread while the password is hashed.
    CompletableFuture<Void> unused =
        result.thenAcceptAsync(
            outcome -> finishLater(outcome, given.get().user(), guarded),
            getServer().getThreadPool());
    return true;
  }

  private void finishLater(Passwords.Result result, String user, GuardedRequest guarded) {
    try {
      if (!finish(result, user, guarded)) {
        guarded.refuse(404, "not found");
      }
    } catch (Exception e) {
      LOG.error("request failed", e, "handler", NAME);
      guarded.callback().failed(e);
    }
  }

  private boolean finish(Passwords.Result result, String user, GuardedRequest guarded)
      throws Exception {
    return switch (result) {
      case RIGHT -> serve(() -> Optional.of(user), guarded);
      case WRONG -> guarded.refuseUnauthorized();
      case BUSY -> guarded.refuse(503, "too many concurrent password checks");
    };
  }

  /** A request that has not been authorized yet. */
  private record GuardedRequest(
      Request request,
      Response response,
      Callback callback,
      Submissions submissions,
      RequestMeter meter) {

    RemoteHost host() {
      return RemoteHost.of(request.getConnectionMetaData().getRemoteSocketAddress());
    }

    @Nullable String header(HttpHeader name) {
      return request.getHeaders().get(name);
    }

    /** From whom the path accepts submissions; empty if it accepts none. */
    Optional<Submissions.From> submits() {
      return request.getMethod().equals("POST")
          ? submissions.from(Request.getPathInContext(request))
          : Optional.empty();
    }

    boolean isJson() {
      String type = header(HttpHeader.CONTENT_TYPE);
      return type != null && type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
    }

    /** Refuses an unsupported method and a body; returns whether it did. */
    boolean isRefused() {
      if (submits().isPresent()) {
        return false;
      }
      String method = request.getMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        String allowed = submissions.allowed(Request.getPathInContext(request));
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        return refuse(405, "the supported methods are " + allowed);
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
