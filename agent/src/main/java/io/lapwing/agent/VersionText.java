package io.lapwing.agent;

import io.lapwing.agent.metrics.Build;
import io.lapwing.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * {@code lapwing version}. Without a build date: two builds of one commit are equal byte for byte.
 */
final class VersionText {

  private VersionText() {}

  /** The first line has the form of Prometheus' own programs. */
  static String of(Build build) {
    String revision = build.revision().isEmpty() ? "unknown" : build.revision();
    return """
    lapwing, version %s (revision: %s)
      java version:     %s (%s)
      platform:         %s/%s
      kernel:           %s
    """
        .formatted(
            build.version(),
            revision,
            build.javaVersion(),
            System.getProperty("java.vendor", ""),
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT),
            System.getProperty("os.arch", ""),
            System.getProperty("os.version", ""));
  }

  /** {@code {"version": "0.1.0", "revision": "1a2b3c4d5e", "java": "17.0.21", ...}}. */
  static String json(Build build) {
    byte[] json =
        JsonWriter.page(
            members ->
                members
                    .member("version", build.version())
                    .member("revision", build.revision())
                    .member("java", build.javaVersion())
                    .member("java_vendor", System.getProperty("java.vendor", ""))
                    .member("os", System.getProperty("os.name", ""))
                    .member("kernel", System.getProperty("os.version", ""))
                    .member("arch", System.getProperty("os.arch", "")));
    return new String(json, StandardCharsets.UTF_8);
  }
}
