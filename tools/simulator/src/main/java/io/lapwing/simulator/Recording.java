package io.lapwing.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The answers of a real node's GPUs at one moment, as lines of a state: a file that {@code
 * tools/bench/gpu-acceptance --record} wrote. It has no EFA, Lustre or kernel log.
 */
public record Recording(Map<String, String> lines) {

  private static final String COUNT = "gpu.count";

  /** Of a node that is recorded, the agent knows no instance type. */
  static final String TYPE = "recorded";

  public Recording {
    lines = Collections.unmodifiableMap(new LinkedHashMap<>(lines));
  }

  /**
   * Reads a file of lines {@code key = value}; {@code #} starts a comment.
   *
   * @throws IllegalArgumentException naming the file, if it is no recording
   */
  public static Recording read(Path file) throws IOException {
    Map<String, String> lines = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      String text = line.split("#", 2)[0].strip();
      int equals = text.indexOf('=');
      if (equals > 0) {
        lines.put(text.substring(0, equals).strip(), text.substring(equals + 1).strip());
      } else if (!text.isEmpty()) {
        throw new IllegalArgumentException(file + ": not a line of a recording: " + text);
      }
    }
    if (!lines.getOrDefault(COUNT, "").matches("[0-9]{1,2}")) {
      throw new IllegalArgumentException(file + " is no recording: it has no line " + COUNT);
    }
    return new Recording(lines);
  }

  /** A machine with these GPUs and nothing else. */
  public InstanceType type() {
    int count = Integer.parseInt(lines.get(COUNT));
    return new InstanceType(
        TYPE,
        model(),
        IntStream.range(0, count).mapToObj(this::busId).toList(),
        IntStream.range(0, count).mapToObj(gpu -> 0).toList(),
        1,
        Optional.empty(),
        List.of());
  }

  private GpuModel model() {
    String name = of(0, "name").orElse(TYPE);
    return new GpuModel(
        name, "0x0000", GpuTree.speed(of(0, "pcie.generation.max")), 1, List.of(), Map.of());
  }

  private String busId(int gpu) {
    return of(gpu, "bus_id").orElse("0000:%02x:00.0".formatted(gpu + 1)).toLowerCase(Locale.ROOT);
  }

  private Optional<String> of(int gpu, String key) {
    return Optional.ofNullable(lines.get("gpu." + gpu + "." + key));
  }
}
