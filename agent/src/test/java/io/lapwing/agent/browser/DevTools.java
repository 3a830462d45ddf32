package io.lapwing.agent.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Calls of the DevTools protocol and their answers, over one web socket. */
final class DevTools implements WebSocket.Listener, AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SECONDS = 180;

  private final AtomicInteger calls = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final List<Consumer<JsonNode>> listeners = new CopyOnWriteArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private @Nullable WebSocket socket;

  private DevTools() {}

  static DevTools connect(URI browser) {
    DevTools tools = new DevTools();
    tools.socket =
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(browser, tools).join();
    return tools;
  }

  void listen(Consumer<JsonNode> listener) {
    listeners.add(listener);
  }

  /** The result of a call, in the session of a page or, without a name, of the browser. */
  JsonNode call(String session, String method, ObjectNode parameters) {
    int id = calls.incrementAndGet();
    ObjectNode call = JSON.createObjectNode().put("id", id).put("method", method);
    call.set("params", parameters);
    if (!session.isEmpty()) {
      call.put("sessionId", session);
    }
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    WebSocket open = socket;
    if (open == null) {
      throw new IllegalStateException("not connected");
    }
    open.sendText(call.toString(), true).join();
    JsonNode said = answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
    if (said.has("error")) {
      throw new AssertionError(method + ": " + said.path("error"));
    }
    return said.path("result");
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
    text.append(part);
    if (last) {
      hear(text.toString());
      text.setLength(0);
    }
    from.request(1);
    return null;
  }

  private void hear(String message) {
    try {
      JsonNode said = JSON.readTree(message);
      CompletableFuture<JsonNode> answer =
          said.has("id") ? waiting.remove(said.path("id").asInt()) : null;
      if (answer != null) {
        answer.complete(said);
      } else {
        listeners.forEach(listener -> listener.accept(said));
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("chromium sent no JSON", e);
    }
  }

  @Override
  public void close() {
    WebSocket open = socket;
    if (open != null) {
      open.abort();
    }
  }
}
