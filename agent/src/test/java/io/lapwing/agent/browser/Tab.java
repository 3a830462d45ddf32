package io.lapwing.agent.browser;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** One page of a browser. */
public final class Tab implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final DevTools tools;
  private final String session;

  /** What the page complained of: exceptions, errors of the console, and what a policy refused. */
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  private Tab(DevTools tools, String session) {
    this.tools = tools;
    this.session = session;
  }

  static Tab open(URI browser) {
    DevTools tools = DevTools.connect(browser);
    String target =
        tools
            .call("", "Target.createTarget", object(Map.of("url", "about:blank")))
            .path("targetId")
            .asText();
    ObjectNode attach = object(Map.of("targetId", target)).put("flatten", true);
    String session = tools.call("", "Target.attachToTarget", attach).path("sessionId").asText();
    Tab tab = new Tab(tools, session);
    tools.listen(tab::note);
    tab.call("Runtime.enable", JSON.createObjectNode());
    tab.call("Log.enable", JSON.createObjectNode());
    tab.call("Page.enable", JSON.createObjectNode());
    return tab;
  }

  private static ObjectNode object(Map<String, String> members) {
    ObjectNode object = JSON.createObjectNode();
    members.forEach(object::put);
    return object;
  }

  private void note(JsonNode event) {
    String method = event.path("method").asText();
    JsonNode said = event.path("params");
    if (method.equals("Runtime.exceptionThrown")
        || (method.equals("Log.entryAdded") && said.at("/entry/level").asText().equals("error"))
        || (method.equals("Runtime.consoleAPICalled")
            && said.path("type").asText().equals("error"))) {
      complaints.add(said.toString());
    }
  }

  public List<String> complaints() {
    return List.copyOf(complaints);
  }

  public JsonNode call(String method, ObjectNode parameters) {
    return tools.call(session, method, parameters);
  }

  public Tab size(int width, int height) {
    call(
        "Emulation.setDeviceMetricsOverride",
        JSON.createObjectNode()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", width < 500));
    return this;
  }

  /** The setting of the system for its pages, light or dark. */
  public Tab prefers(String scheme) {
    ObjectNode media = JSON.createObjectNode().put("media", "");
    media.putArray("features").addObject().put("name", "prefers-color-scheme").put("value", scheme);
    call("Emulation.setEmulatedMedia", media);
    return this;
  }

  public Tab go(String url) {
    call("Page.navigate", object(Map.of("url", url)));
    return this;
  }

  /** The value of an expression of JavaScript. */
  public JsonNode evaluate(String expression) {
    ObjectNode parameters =
        JSON.createObjectNode().put("expression", expression).put("returnByValue", true);
    parameters.put("awaitPromise", true);
    JsonNode answer = call("Runtime.evaluate", parameters);
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.path("exceptionDetails"));
    }
    return answer.at("/result/value");
  }

  /** The text that is seen of the first element that a selector finds; empty without one. */
  public String text(String selector) {
    return evaluate("document.querySelector(" + quoted(selector) + ")?.innerText ?? ''").asText();
  }

  /** The first element that a selector finds, with all that is in it. */
  public String markup(String selector) {
    return evaluate("document.querySelector(" + quoted(selector) + ")?.outerHTML ?? ''").asText();
  }

  public int count(String selector) {
    return evaluate("document.querySelectorAll(" + quoted(selector) + ").length").asInt();
  }

  public void awaitText(String selector, String part) {
    await(selector + " says " + part)
        .atMost(PATIENCE)
        .until(() -> text(selector), text -> text.contains(part));
  }

  public void awaitTrue(String expression) {
    await(expression).atMost(PATIENCE).until(() -> evaluate(expression).asBoolean());
  }

  /** A press of the mouse in the middle of an element, wherever that lands. */
  public void click(String selector) {
    JsonNode at =
        evaluate(
            "(() => { const e = document.querySelector("
                + quoted(selector)
                + "); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
                + " return {x: b.x + b.width / 2, y: b.y + b.height / 2}; })()");
    for (String type : List.of("mousePressed", "mouseReleased")) {
      call(
          "Input.dispatchMouseEvent",
          object(Map.of("type", type, "button", "left"))
              .put("x", at.path("x").asDouble())
              .put("y", at.path("y").asDouble())
              .put("clickCount", 1));
    }
  }

  /** A key, with what it types: a button answers to the text of Enter, not to the key. */
  public void press(String key, int code, String typed) {
    for (String type : List.of("keyDown", "keyUp")) {
      call(
          "Input.dispatchKeyEvent",
          object(Map.of("type", type, "key", key, "code", key, "text", typed))
              .put("windowsVirtualKeyCode", code));
    }
  }

  /** What is seen, as PNG; the whole page and not only the window where it is to be whole. */
  public byte[] screenshot(boolean whole) {
    ObjectNode parameters = object(Map.of("format", "png")).put("captureBeyondViewport", whole);
    if (whole) {
      JsonNode size = call("Page.getLayoutMetrics", JSON.createObjectNode()).path("cssContentSize");
      parameters
          .putObject("clip")
          .put("x", 0)
          .put("y", 0)
          .put("width", size.path("width").asDouble())
          .put("height", size.path("height").asDouble())
          .put("scale", 1);
    }
    String data = call("Page.captureScreenshot", parameters).path("data").asText();
    return Base64.getDecoder().decode(data);
  }

  private static String quoted(String text) {
    return JSON.getNodeFactory().textNode(text).toString();
  }

  @Override
  public void close() {
    tools.close();
  }
}
