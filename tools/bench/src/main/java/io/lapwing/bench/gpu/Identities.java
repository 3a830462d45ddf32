package io.lapwing.bench.gpu;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a recording has in place of UUIDs and serial numbers: the same for a GPU in every recording
 * of a node, since it follows from the GPU's index.
 */
final class Identities {

  private static final String NO_CLUSTER = "00000000-0000-0000-0000-000000000000";
  private static final long FIRST_SERIAL = 1_650_000_000_000L;

  private final boolean kept;
  private final Map<String, String> replaced = new LinkedHashMap<>();
  private final Map<String, String> clusters = new LinkedHashMap<>();

  /** {@code kept}: nothing is replaced. */
  Identities(boolean kept) {
    this.kept = kept;
  }

  String uuid(int gpu, String real) {
    return replace(real, String.format(Locale.ROOT, "GPU-00000000-0000-4000-8000-%012x", gpu));
  }

  String serial(int gpu, String real) {
    return replace(real, String.valueOf(FIRST_SERIAL + gpu));
  }

  /** Of the MIG device on a GPU instance: as the simulator makes it. */
  void mig(int gpu, int instance, String real) {
    if (kept) {
      return;
    }
    String uuid = uuid(gpu, "");
    replace(
        real,
        String.format(
            Locale.ROOT, "MIG-%s5%02x0%s", uuid.substring(4, 18), instance, uuid.substring(22)));
  }

  String cluster(String real) {
    if (real.equals(NO_CLUSTER)) {
      return real;
    }
    String made =
        clusters.computeIfAbsent(
            real,
            any ->
                String.format(Locale.ROOT, "00000000-0000-4000-9000-%012x", clusters.size() + 1));
    return replace(real, made);
  }

  /** Serial number of a chassis. */
  String chassis(String real) {
    return replace(real, "0000000000000");
  }

  private String replace(String real, String made) {
    if (kept) {
      return real;
    }
    if (!real.isEmpty()) {
      replaced.put(real, made);
    }
    return made;
  }

  /** Every real text that was replaced, with what is in its place. */
  Map<String, String> replaced() {
    return Map.copyOf(replaced);
  }
}
