package io.lapwing.agent.dropin;

import io.lapwing.gpu.NameGeneration;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The release of dcgm-exporter in the tag of an image: that of DCGM, if it has it, comes first. */
final class Release {

  private static final Pattern TAG =
      Pattern.compile(
          ".*dcgm-exporter:(?:[0-9]+\\.[0-9]+\\.[0-9]+-)?v?([0-9]{1,4}(?:\\.[0-9]{1,4}){2}).*");

  private static final int[] HOSTNAME = {4, 8, 3};
  private static final int[] RENAMED = {4, 9, 0};

  private Release() {}

  /** The names of a release; empty for a tag such as {@code latest}. */
  static Optional<NameGeneration> of(String image) {
    Matcher tag = TAG.matcher(image);
    if (!tag.matches()) {
      return Optional.empty();
    }
    int[] version = Arrays.stream(tag.group(1).split("\\.")).mapToInt(Integer::parseInt).toArray();
    if (Arrays.compare(version, RENAMED) >= 0) {
      return Optional.of(NameGeneration.V4_9);
    }
    return Optional.of(
        Arrays.compare(version, HOSTNAME) >= 0
            ? NameGeneration.CLASSIC_HOSTNAME
            : NameGeneration.CLASSIC);
  }
}
