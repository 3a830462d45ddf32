package io.lapwing.agent.web;

import io.lapwing.agent.config.WebConfig;
import io.lapwing.agent.log.Log;
import io.lapwing.agent.metrics.RequestMeter;
import io.lapwing.agent.web.security.Credentials;
import io.lapwing.agent.web.security.Passwords;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * What every request passes before a page is looked for, in exporter-toolkit's order: the
 * configuration can be read (500), the rate (429), the user (401). Only GET and HEAD come through
 * (405), and those without a body (413).
 */
final class AuthHandler extends Handler.Wrapper {
  private static final Log LOG = Log.of(AuthHandler.class);

  /** How it is named in metrics, as all that reaches no page. */
  private static final String NAME = "other";

  private final Optional<WebSecurity> security;
  private final ConnectionLimiter crowd;
  private final RequestMeter meter;

  /**
   * @param security none lets everybody through
   */
  AuthHandler(
      Handler pages, Optional<WebSecurity> security, ConnectionLimiter crowd, RequestMeter meter) {
    super(pages);
    this.security = security;
    this.crowd = crowd;
    this.meter = meter;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    crowd.asks(request);
    Passage passage = new Passage(request, response, callback);
    if (security.isEmpty()) {
      return passage.isRefused() || super.handle(request, response, callback);
    }
    WebConfig config = security.get().config();
    if (config == null) {
      return passage.refuse(500, "the web configuration is wrong; the agent's log has the details");
    }
    if (security.get().crowded()) {
      return passage.refuse(429, "too many requests");
    }
    config.headers().forEach(response.getHeaders()::put);
    if (passage.isRefused()) {
      return true;
    }
    return config.users().isEmpty()
        ? super.handle(request, response, callback)
        : ask(config, security.get().passwords(), passage);
  }

  private boolean ask(WebConfig config, Passwords passwords, Passage passage) throws Exception {
    Optional<Credentials> given = Credentials.of(passage.header(HttpHeader.AUTHORIZATION));
    if (given.isEmpty()) {
      return passage.refuseUser();
    }
    CompletableFuture<Passwords.Result> answer = passwords.check(given.get(), config.users());
    if (answer.isDone()) {
      return letIn(answer.join(), passage);
    }
    // No thread of the web server waits for a hash.
    CompletableFuture<Void> unused =
        answer.thenAcceptAsync(result -> letInLater(result, passage), getServer().getThreadPool());
    return true;
  }

  private void letInLater(Passwords.Result result, Passage passage) {
    try {
      if (!letIn(result, passage)) {
        passage.refuse(404, "no such page");
      }
    } catch (Exception e) {
      LOG.error("request failed", e, "handler", NAME);
      passage.callback().failed(e);
    }
  }

  private boolean letIn(Passwords.Result result, Passage passage) throws Exception {
    return switch (result) {
      case RIGHT -> super.handle(passage.request(), passage.response(), passage.callback());
      case WRONG -> passage.refuseUser();
      case BUSY -> passage.refuse(503, "too many passwords to compare at a time");
    };
  }

  /** A request at the gate. */
  private final class Passage {
    private final Request request;
    private final Response response;
    private final Callback callback;

    Passage(Request request, Response response, Callback callback) {
      this.request = request;
      this.response = response;
      this.callback = callback;
    }

    Request request() {
      return request;
    }

    Response response() {
      return response;
    }

    Callback callback() {
      return callback;
    }

    @Nullable String header(HttpHeader name) {
      return request.getHeaders().get(name);
    }

    /** Whether it was refused for what it is. */
    boolean isRefused() {
      String method = request.getMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
        return refuse(405, "only GET and HEAD are answered");
      }
      if (request.getLength() > 0 || header(HttpHeader.TRANSFER_ENCODING) != null) {
        return refuse(413, "a request has no body here");
      }
      return false;
    }

    boolean refuseUser() {
      response
          .getHeaders()
          .put(new HttpField(HttpHeader.WWW_AUTHENTICATE, "Basic realm=\"lapwing\""));
      return refuse(401, "a user and a password are needed");
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
