package io.lapwing.agent.dropin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The files and folders of the host that a container of dcgm-exporter has. */
final class Mounts {

  /** Not the name of a volume; a variable may be a path. */
  private static final Pattern PATH = Pattern.compile("/|\\.|\\$");

  private final List<Mount> all = new ArrayList<>();
  private boolean isContainer;

  /**
   * A bind mount.
   *
   * @param from a path of the host
   * @param to the path in the container
   */
  record Mount(String from, String to) {

    private boolean has(String path) {
      return path.equals(to) || path.startsWith(to + "/");
    }
  }

  /** The paths are those of a container. */
  void inContainer() {
    isContainer = true;
  }

  /** Whether a path is one of a container that no mount has. */
  boolean isOnlyInContainer(String path) {
    return isContainer && onHost(path).isEmpty();
  }

  void add(Mount mount) {
    all.add(mount);
  }

  /** The path of the host for one of the container; empty if no mount has it. */
  Optional<String> onHost(String path) {
    return all.stream()
        .filter(mount -> mount.has(path))
        .max(Comparator.comparingInt(mount -> mount.to().length()))
        .map(mount -> mount.from() + path.substring(mount.to().length()));
  }

  /** {@code /from:/to} or {@code /from:/to:ro}; a named volume has no path of the host. */
  static Optional<Mount> read(String text) {
    String[] parts = text.split(":", -1);
    return parts.length < 2 ? Optional.empty() : mount(parts[0], parts[1]);
  }

  /** {@code type=bind,source=/from,target=/to}. */
  static Optional<Mount> readPairs(String text) {
    Map<String, String> pairs = new HashMap<>();
    for (String pair : text.split(",", -1)) {
      String[] parts = pair.split("=", 2);
      pairs.put(parts[0], parts.length == 2 ? parts[1] : "");
    }
    return mount(
        pairs.getOrDefault("source", pairs.getOrDefault("src", "")),
        pairs.getOrDefault(
            "target", pairs.getOrDefault("destination", pairs.getOrDefault("dst", ""))));
  }

  static Optional<Mount> mount(String from, String to) {
    boolean paths = PATH.matcher(from).lookingAt() && to.startsWith("/");
    return paths ? Optional.of(new Mount(plain(from), plain(to))) : Optional.empty();
  }

  private static String plain(String path) {
    return path.replaceFirst("/+$", "");
  }
}
