package io.lapwing.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The driver's XID messages, from {@code xid-lines.yaml}. */
record XidLines(Map<Integer, XidLines.Words> words) {
  private static final String RESOURCE = "xid-lines.yaml";

  /** The process in a line: with pid and name, unknown, or absent. */
  enum Named {
    PROCESS,
    UNKNOWN,
    NONE
  }

  /**
   * The usual line of one number.
   *
   * @param message {@code {gpu}} in it is the GPU's number
   */
  record Words(Named named, String message) {}

  private static final String UNKNOWN = "pid='<unknown>', name=<unknown>, ";

  XidLines {
    words = Map.copyOf(words);
  }

  static XidLines load() {
    Map<Integer, Words> words = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> line : Yaml.resource(RESOURCE).properties()) {
      JsonNode yaml = line.getValue();
      Named named = Named.valueOf(yaml.path("names").asText());
      words.put(Integer.valueOf(line.getKey()), new Words(named, yaml.path("message").asText()));
    }
    return new XidLines(words);
  }

  /**
   * The driver's line.
   *
   * @param instance the MIG GPU instance, if the XID is one of it; a process is on its only compute
   *     instance
   * @param said replaces the usual message
   */
  String line(
      int gpu,
      String pci,
      OptionalInt instance,
      Optional<GpuProcess> process,
      int number,
      Optional<String> said) {
    Words usual = words.getOrDefault(number, new Words(Named.NONE, ""));
    String message = said.orElse(usual.message()).replace("{gpu}", Integer.toString(gpu));
    String head = "NVRM: Xid (PCI:" + pci + attribution(instance, usual.named()) + "): " + number;
    return message.isEmpty() ? head : head + ", " + whom(usual.named(), process) + message;
  }

  private static String attribution(OptionalInt instance, Named named) {
    return instance.isEmpty()
        ? ""
        : String.format(Locale.ROOT, " GPU-I:%02d", instance.getAsInt())
            + (named == Named.PROCESS ? " GPU-CI:00" : "");
  }

  private static String whom(Named named, Optional<GpuProcess> process) {
    return switch (named) {
      case PROCESS -> process.map(GpuProcess::asTheDriverNamesIt).orElse(UNKNOWN);
      case UNKNOWN -> UNKNOWN;
      case NONE -> "";
    };
  }
}
