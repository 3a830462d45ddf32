package io.lapwing.drain.intake.agents;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.Words;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Function;

/** Asks the agent of a node over HTTP. */
public final class HttpHealthReader implements HealthReader, AgentReader {

  private static final String PATH = "/api/v1/health";

  private final AgentPages pages;
  private final Function<NodeName, String> instanceIds;

  /**
   * @param instanceIds of nodes, as the scheduler knows them; empty if it does not
   */
  public HttpHealthReader(AgentPages pages, Function<NodeName, String> instanceIds) {
    this.pages = pages;
    this.instanceIds = instanceIds;
  }

  @Override
  public Answer ask(NodeName node) {
    try {
      return new Answered(read(node).health());
    } catch (IOException e) {
      return new Silent(String.valueOf(e.getMessage()));
    }
  }

  /** Whether a node's agent has its GPUs open. */
  public GpuRelease.State gpus(NodeName node) {
    try {
      return read(node).gpus();
    } catch (IOException silent) {
      return GpuRelease.State.UNKNOWN;
    }
  }

  @Override
  public HealthDocument read(NodeName node) throws IOException {
    try {
      HealthDocument document = HealthDocument.read(pages.get(node, PATH));
      check(node, document);
      return document;
    } catch (Unusable e) {
      throw new IOException(e.outcome().what(), e);
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
