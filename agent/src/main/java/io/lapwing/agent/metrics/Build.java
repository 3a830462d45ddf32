package io.lapwing.agent.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The build of the agent; the revision is empty if unknown. */
public record Build(String version, String revision, String javaVersion) {

  public static Build ofThisJar() {
    Properties properties = new Properties();
    try (InputStream in = Build.class.getResourceAsStream("/io/lapwing/agent/build.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return new Build(
        properties.getProperty("version", "unknown"),
        properties.getProperty("revision", ""),
        System.getProperty("java.version", ""));
  }
}
