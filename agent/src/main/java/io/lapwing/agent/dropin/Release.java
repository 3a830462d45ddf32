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

  private static final int[] IMAGE_FILE_UNTIL = {4, 0, 0};
  private static final int[] CHART_FILE_FROM = {4, 8, 0};
  private static final int[] CHART_FILE_UNTIL = {4, 8, 2};
  private static final int[] HOSTNAME = {4, 8, 3};
  private static final int[] RENAMED = {4, 9, 0};

  private Release() {}

  /** The names of a release; empty for a tag such as {@code latest}. */
  static Optional<NameGeneration> of(String image) {
    return version(image)
        .map(
            version ->
                from(RENAMED, version)
                    ? NameGeneration.V4_9
                    : from(HOSTNAME, version)
                        ? NameGeneration.CLASSIC_HOSTNAME
                        : NameGeneration.CLASSIC);
  }

  /** Whether the chart of a release used a file of the image, which has the driver's version. */
  static boolean chartUsesFileOfImage(String image) {
    return version(image).filter(version -> !from(IMAGE_FILE_UNTIL, version)).isPresent();
  }

  /** Whether the field file in the chart of a release has the driver's version. */
  static boolean chartFileHasDriverVersion(String image) {
    return version(image)
        .filter(version -> from(CHART_FILE_FROM, version) && !from(CHART_FILE_UNTIL, version))
        .isPresent();
  }

  private static Optional<int[]> version(String image) {
    Matcher tag = TAG.matcher(image);
    return tag.matches()
        ? Optional.of(
            Arrays.stream(tag.group(1).split("\\.")).mapToInt(Integer::parseInt).toArray())
        : Optional.empty();
  }

  private static boolean from(int[] first, int[] version) {
    return Arrays.compare(version, first) >= 0;
  }
}
