package io.lapwing.drain.intake.agents;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.Words;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.function.Function;

/** Asks the agent of a node over HTTP. */
public final class HttpHealthReader implements HealthReader, AgentReader {

  private static final String NODE = "{node}";
  private static final String PATH = "/api/v1/health";

  private final String address;
  private final HttpGet http;
  private final Authorization authorization;
  private final Function<NodeName, String> instanceIds;

  /**
   * @param address with {@code {node}} in place of the name: {@code http://{node}:9754}
   * @param instanceIds of nodes, as the scheduler knows them; empty if it does not
   * @throws IllegalArgumentException if the address is not one
   */
  public HttpHealthReader(
      String address,
      HttpGet http,
      Authorization authorization,
      Function<NodeName, String> instanceIds) {
    this.address = checked(address);
    this.http = http;
    this.authorization = authorization;
    this.instanceIds = instanceIds;
  }

  private static String checked(String address) {
    URI example = URI.create(address.replace(NODE, "node"));
    boolean web = "http".equals(example.getScheme()) || "https".equals(example.getScheme());
    if (!web || example.getHost() == null || !address.contains(NODE)) {
      throw new IllegalArgumentException(address + ": not an address such as http://{node}:9754");
    }
    return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
  }

  @Override
  public Answer ask(NodeName node) {
    try {
      return new Told(read(node).health());
    } catch (IOException e) {
      return new Silent(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public HealthDocument read(NodeName node) throws IOException {
    URI uri = URI.create(address.replace(NODE, node.text()) + PATH);
    try {
      HealthDocument document = HealthDocument.read(http.get(uri, authorization.header()));
      check(node, document);
      return document;
    } catch (Unusable e) {
      throw new IOException(e.outcome().what(), e);
    } catch (IOException e) {
      throw new IOException(uri + ": " + Words.plain(String.valueOf(e.getMessage()), 200), e);
    }
  }

  /**
   * An address may be that of another node by now. The host name counts, or the instance id where a
   * scheduler has names of its own; the host name stays while an instance is replaced.
   */
  private void check(NodeName node, HealthDocument document) throws IOException {
    String theirs = document.health().instanceId();
    if (document.hostname().isEmpty() && theirs.isEmpty()) {
      throw new IOException("the agent does not know its node yet");
    }
    boolean same = host(document.hostname()).equals(host(node.text()));
    boolean instance = !theirs.isEmpty() && theirs.equals(instanceIds.apply(node));
    if (!same && !instance) {
      throw new IOException(
          "the answer is of another node: " + Words.plain(document.hostname() + " " + theirs, 100));
    }
  }

  private static String host(String name) {
    int dot = name.indexOf('.');
    return (dot < 0 ? name : name.substring(0, dot)).toLowerCase(Locale.ROOT);
  }
}
