package io.lapwing.packaging;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** As much of a Kubernetes API server, with nodes only, as a dry run of Helm asks. */
final class FakeCluster implements AutoCloseable {

  private static final String LIST =
      "{\"kind\":\"%s\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":%s}";
  private static final String RESOURCE =
      "{\"name\":\"%s\",\"kind\":\"%s\",\"namespaced\":%s,\"singularName\":\"\",\"verbs\":[\"get\",\"list\"]}";

  private final HttpServer server;
  private final Map<String, String> answers;

  private FakeCluster(Map<String, String> answers) throws IOException {
    this.answers = answers;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  /** A node for each, with these labels in YAML. */
  static FakeCluster of(String... labels) throws IOException {
    ArrayNode nodes = new ObjectMapper().createArrayNode();
    for (String one : labels) {
      JsonNode node = Chart.YAML.readTree(one);
      nodes
          .addObject()
          .put("kind", "Node")
          .put("apiVersion", "v1")
          .putObject("metadata")
          .put("name", "node-" + nodes.size())
          .set("labels", node);
    }
    return new FakeCluster(
        Map.of(
            "/version", "{\"major\":\"1\",\"minor\":\"25\",\"gitVersion\":\"v1.25.0\"}",
            "/api", "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}",
            "/apis",
                "{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[" + apps() + "]}",
            "/api/v1",
                resources(
                    "v1",
                    RESOURCE.formatted("nodes", "Node", false)
                        + ","
                        + RESOURCE.formatted("serviceaccounts", "ServiceAccount", true)),
            "/apis/apps/v1",
                resources("apps/v1", RESOURCE.formatted("daemonsets", "DaemonSet", true)),
            "/api/v1/nodes", LIST.formatted("NodeList", nodes),
            "/api/v1/namespaces/monitoring/secrets", LIST.formatted("SecretList", "[]")));
  }

  private static String apps() {
    String version = "{\"groupVersion\":\"apps/v1\",\"version\":\"v1\"}";
    return "{\"name\":\"apps\",\"versions\":["
        + version
        + "],\"preferredVersion\":"
        + version
        + "}";
  }

  private static String resources(String version, String resources) {
    return "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"%s\",\"resources\":[%s]}"
        .formatted(version, resources);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String text = answers.get(exchange.getRequestURI().getPath());
    String missing =
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"reason\":\"NotFound\",\"code\":404}";
    byte[] body = (text == null ? missing : text).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(text == null ? 404 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  String kubeConfig() {
    return """
        apiVersion: v1
        kind: Config
        clusters: [{name: fake, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: test-user, user: {}}]
        contexts: [{name: fake, context: {cluster: fake, user: test-user}}]
        current-context: fake
        """
        .formatted(server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
