package io.lapwing.drain.intake.agents;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.intake.Words;
import java.io.IOException;
import java.net.URI;

/** Pages of the agents, over HTTP. Every call ends within the deadline of the client. */
public final class AgentPages {

  private static final String NODE = "{node}";

  private final String address;
  private final HttpGet http;
  private final Authorization authorization;

  /**
   * @param address with {@code {node}} in place of the name: {@code http://{node}:9754}
   * @throws IllegalArgumentException if the address is not one
   */
  public AgentPages(String address, HttpGet http, Authorization authorization) {
    this.address = checked(address);
    this.http = http;
    this.authorization = authorization;
  }

  private static String checked(String address) {
    URI example = URI.create(address.replace(NODE, "node"));
    boolean web = "http".equals(example.getScheme()) || "https".equals(example.getScheme());
    if (!web || example.getHost() == null || !address.contains(NODE)) {
      throw new IllegalArgumentException(address + ": not an address such as http://{node}:9754");
    }
    return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
  }

  /**
   * What a node's agent serves at a path.
   *
   * @param path with its query: {@code /api/v1/health}
   * @throws IOException if that cannot be had, with the address
   */
  public byte[] get(NodeName node, String path) throws IOException {
    URI uri = URI.create(address.replace(NODE, node.text()) + path);
    try {
      return http.get(uri, authorization.header());
    } catch (IOException e) {
      throw new IOException(uri + ": " + Words.plain(String.valueOf(e.getMessage()), 200), e);
    }
  }
}
