package io.lapwing.bench.acceptance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of {@code nvidia-smi nvlink}: a line {@code GPU 0: NAME (UUID: GPU-...)}, and below it a
 * line {@code Link 3: TEXT} for each link, or a sentence why there is none.
 */
record NvlinkOutput(Map<String, List<Line>> byUuid) {

  private static final Pattern GPU = Pattern.compile("\\s*GPU \\d+: .*\\(UUID: (\\S+)\\)\\s*");
  private static final Pattern LINK = Pattern.compile("\\s*Link (\\d+): (.*)");
  private static final Pattern SPEED = Pattern.compile("([\\d.]+) GB/s");
  private static final Pattern DATA = Pattern.compile("Data (Tx|Rx): (\\d+) KiB");

  /** {@code link} is -1 for a sentence about the GPU. */
  record Line(int link, String text) {}

  /** The two queries; empty answers where nvidia-smi has no such command. */
  static NvlinkOutput status() throws IOException, InterruptedException {
    return parse(NvidiaSmi.text("nvlink", "-s"));
  }

  static NvlinkOutput counters() throws IOException, InterruptedException {
    return parse(NvidiaSmi.text("nvlink", "-gt", "d"));
  }

  static NvlinkOutput parse(String text) {
    Map<String, List<Line>> found = new HashMap<>();
    List<Line> current = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher gpu = GPU.matcher(line);
      Matcher link = LINK.matcher(line);
      if (gpu.matches()) {
        current = new ArrayList<>();
        found.put(gpu.group(1), current);
      } else if (link.matches()) {
        current.add(new Line(Integer.parseInt(link.group(1)), link.group(2).strip()));
      } else if (!line.isBlank()) {
        current.add(new Line(-1, line.strip()));
      }
    }
    return new NvlinkOutput(found);
  }

  private List<Line> of(String uuid) {
    return byUuid.getOrDefault(uuid, List.of());
  }

  boolean hasLinks(String uuid) {
    return of(uuid).stream().anyMatch(line -> line.link() >= 0);
  }

  /** Why it shows no link of this GPU. */
  String reason(String uuid) {
    return of(uuid).stream()
        .filter(line -> line.link() < 0)
        .map(Line::text)
        .findFirst()
        .orElse("nvidia-smi nvlink shows no link of this GPU");
  }

  /** The links with a speed. */
  Set<Integer> active(String uuid) {
    Set<Integer> active = new TreeSet<>();
    for (Line line : of(uuid)) {
      if (line.link() >= 0 && SPEED.matcher(line.text()).find()) {
        active.add(line.link());
      }
    }
    return active;
  }

  /** Bytes a second of the first active link, in one direction. */
  Optional<Double> speed(String uuid) {
    return of(uuid).stream()
        .filter(line -> line.link() >= 0)
        .map(line -> SPEED.matcher(line.text()))
        .filter(Matcher::find)
        .map(found -> Double.parseDouble(found.group(1)) * 1e9)
        .findFirst();
  }

  /** KiB over all links; {@code direction} is {@code Tx} or {@code Rx}. */
  Optional<Double> kibibytes(String uuid, String direction) {
    List<Double> counts =
        of(uuid).stream()
            .map(line -> DATA.matcher(line.text()))
            .filter(found -> found.find() && found.group(1).equals(direction))
            .map(found -> Double.parseDouble(found.group(2)))
            .toList();
    return counts.isEmpty()
        ? Optional.empty()
        : Optional.of(counts.stream().mapToDouble(Double::doubleValue).sum());
  }
}
