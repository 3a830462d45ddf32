package io.lapwing.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Layout of the NVML structs by the C compiler, printed by {@code nvml-layout} when the library was
 * built.
 *
 * <p>Keys are "nvmlFieldValue_t size", "nvmlFieldValue_t.fieldId" and "nvmlMemory_v2_t version";
 * values are bytes, and version words.
 */
public record NvmlLayout(Map<String, Long> facts) {
  public NvmlLayout {
    facts = Map.copyOf(facts);
  }

  public static NvmlLayout load() {
    Map<String, Long> facts = new LinkedHashMap<>();
    try {
      NativeFiles.text("nvml-layout.txt").lines().forEach(line -> add(line, facts));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new NvmlLayout(facts);
  }

  private static void add(String line, Map<String, Long> facts) {
    int last = line.lastIndexOf(' ');
    facts.put(line.substring(0, last), Long.decode(line.substring(last + 1)));
  }
}
