package io.lapwing.linux;

import java.time.ZoneId;
import java.util.SimpleTimeZone;
import java.util.TimeZone;

/**
 * The time zone of the host, found when it is asked for. Finding it reads the rules of all zones, a
 * fifth of a megabyte, and only dates in log files without an offset need it.
 */
public final class SystemZone {

  private SystemZone() {}

  private static final class Found {
    static final ZoneId ZONE = find();

    private static ZoneId find() {
      TimeZone.setDefault(null);
      return ZoneId.systemDefault();
    }
  }

  /**
   * Keeps libraries from finding it: Jetty logs when it started. Until the zone is asked for, the
   * JVM's default is UTC. To be called before other threads run.
   */
  public static void defer() {
    TimeZone.setDefault(new SimpleTimeZone(0, "UTC"));
  }

  /** As the system's configuration and the variable TZ say. */
  public static ZoneId get() {
    return Found.ZONE;
  }
}
