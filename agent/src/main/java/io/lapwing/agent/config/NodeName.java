package io.lapwing.agent.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The node's name when nobody sets it: what Kubernetes calls the node, else what the kernel does.
 * Never the resolver, which may take seconds to answer.
 */
final class NodeName {

  private NodeName() {}

  static String find(Map<String, String> environment, Path procfs) {
    String node = environment.getOrDefault("NODE_NAME", "");
    if (!node.isEmpty()) {
      return node;
    }
    try {
      return Files.readString(procfs.resolve("sys/kernel/hostname")).strip();
    } catch (IOException e) {
      // A made-up tree need not have the file; the shell's variable is the next best answer.
      return environment.getOrDefault("HOSTNAME", "localhost");
    }
  }
}
