package io.lapwing.jobs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Device ids that device plugins use for GPUs.
 *
 * <pre>
 * GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52          a GPU
 * GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52::3       a share of it
 * MIG-2c4d8e11-5f0a-5d5b-9a8e-0d6c1f2b3a44          a MIG device
 * MIG-GPU-604ac76c-.../7/0                          a MIG device of drivers before R470
 * nvidia0, nvidia0/gi7, nvidia0/gi7/vgpu2           GKE: by index, GPU instance and share
 * </pre>
 */
final class DeviceId {

  private static final String UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final String SHARE = "(?:(?:::|-|/vgpu)[0-9]{1,6})?";
  private static final Pattern BY_UUID = Pattern.compile("((?:GPU|MIG)-" + UUID + ")" + SHARE);
  private static final Pattern OLD_MIG =
      Pattern.compile("MIG-(GPU-" + UUID + ")/([0-9]{1,6})/[0-9]{1,6}" + SHARE);
  private static final Pattern BY_INDEX =
      Pattern.compile("nvidia([0-9]{1,6})(?:/gi([0-9]{1,6}))?" + SHARE);

  /** None of these is longer. */
  private static final int MAX_CHARS = 128;

  private DeviceId() {}

  /** The GPU or slice with that id; empty if there is none on this node. */
  static Optional<GpuPlace> place(String id, GpuTable gpus) {
    if (id.length() > MAX_CHARS) {
      return Optional.empty();
    }
    Matcher uuid = BY_UUID.matcher(id);
    if (uuid.matches()) {
      return gpus.of(uuid.group(1));
    }
    Matcher old = OLD_MIG.matcher(id);
    if (old.matches()) {
      return gpus.slice(old.group(1), String.valueOf(Integer.parseInt(old.group(2))));
    }
    Matcher index = BY_INDEX.matcher(id);
    return index.matches() ? byIndex(index, gpus) : Optional.empty();
  }

  private static Optional<GpuPlace> byIndex(Matcher id, GpuTable gpus) {
    int gpu = Integer.parseInt(id.group(1));
    return id.group(2) == null ? gpus.whole(gpu) : gpus.slice(gpu, Integer.parseInt(id.group(2)));
  }
}
