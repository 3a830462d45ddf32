package io.lapwing.simulator;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines {@code gpu.N.mig.instances} of a scenario, for a model of GPU. */
final class MigLines {
  /** In a scenario: the smallest profile of the GPUs, whichever these are. */
  static final String SMALLEST = "{mig}";

  private static final Pattern KEY = Pattern.compile("gpu\\.(\\d+|\\*)\\.mig\\.instances");
  private static final Pattern PROFILE = Pattern.compile("\\d+:([^@\\s]+)@");

  private MigLines() {}

  /** With the smallest profile in its place; a model without MIG keeps the text. */
  static String filled(String value, GpuModel model) {
    return model.mig().isEmpty() ? value : value.replace(SMALLEST, model.mig().get(0));
  }

  /**
   * Why these GPUs cannot have the line. A recorded GPU has no list of profiles, so its lines are
   * not checked.
   */
  static Optional<String> problem(String key, String value, GpuModel model) {
    Set<String> profiles = profiles(key, value);
    List<String> known = model.mig();
    if (known.isEmpty() && profiles.contains(SMALLEST)) {
      return Optional.of(key + ": " + model.name() + " has no MIG");
    }
    return profiles.stream()
        .filter(profile -> !known.isEmpty() && !known.contains(profile))
        .filter(profile -> !profile.equals(SMALLEST))
        .findFirst()
        .map(
            profile ->
                key
                    + ": "
                    + model.name()
                    + " has no MIG profile "
                    + profile
                    + NearestName.of(profile, known)
                    + "; it has "
                    + String.join(", ", known));
  }

  private static Set<String> profiles(String key, String value) {
    Set<String> profiles = new LinkedHashSet<>();
    if (KEY.matcher(key).matches()) {
      Matcher profile = PROFILE.matcher(value);
      while (profile.find()) {
        profiles.add(profile.group(1));
      }
    }
    return profiles;
  }
}
