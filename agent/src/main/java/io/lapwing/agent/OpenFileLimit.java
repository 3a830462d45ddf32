package io.lapwing.agent;

import io.lapwing.linux.SmallFile;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limit of open files of this process, from {@code /proc/self/limits}. The agent keeps the
 * files of sysfs and procfs open that it reads each round; beyond the limit their series are
 * missing.
 */
final class OpenFileLimit {

  /** A p5.48xlarge with 32 EFA devices and one Lustre file system takes about 1,200. */
  static final long ENOUGH = 4_096;

  private static final Pattern SOFT = Pattern.compile("(?m)^Max open files +(\\d{1,18}) ");

  private OpenFileLimit() {}

  /** The soft limit if it is lower than {@link #ENOUGH}; empty also where it is unreadable. */
  static OptionalLong tooLow() {
    return SmallFile.text(Path.of("/proc/self/limits"))
        .toOptional()
        .map(OpenFileLimit::tooLow)
        .orElse(OptionalLong.empty());
  }

  static OptionalLong tooLow(String limits) {
    Matcher soft = SOFT.matcher(limits);
    if (!soft.find()) {
      return OptionalLong.empty();
    }
    long limit = Long.parseLong(soft.group(1));
    return limit < ENOUGH ? OptionalLong.of(limit) : OptionalLong.empty();
  }
}
