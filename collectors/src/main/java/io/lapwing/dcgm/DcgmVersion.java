package io.lapwing.dcgm;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a library or an engine, from {@code version:4.4.2;arch:x86_64;...}. */
record DcgmVersion(int major, int minor, int patch) implements Comparable<DcgmVersion> {

  private static final Pattern TEXT =
      Pattern.compile("(?:^|;)version:(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})");

  private static final Comparator<DcgmVersion> ORDER =
      Comparator.comparingInt(DcgmVersion::major)
          .thenComparingInt(DcgmVersion::minor)
          .thenComparingInt(DcgmVersion::patch);

  /** Calls between this version or a later one and an earlier one answer version_mismatch. */
  private static final DcgmVersion DIVIDE = new DcgmVersion(4, 7, 1);

  static Optional<DcgmVersion> of(String buildInfo) {
    Matcher found = TEXT.matcher(buildInfo);
    return found.find()
        ? Optional.of(
            new DcgmVersion(
                Integer.parseInt(found.group(1)),
                Integer.parseInt(found.group(2)),
                Integer.parseInt(found.group(3))))
        : Optional.empty();
  }

  boolean fits(DcgmVersion other) {
    return major == other.major && isAfterDivide() == other.isAfterDivide();
  }

  private boolean isAfterDivide() {
    return compareTo(DIVIDE) >= 0;
  }

  @Override
  public int compareTo(DcgmVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
