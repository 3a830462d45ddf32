package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SystemZoneTest {

  /** In a JVM of its own: the default of the tests' JVM stays as it is. */
  @Test
  void isTheHostsAlsoAfterItWasDeferred() throws Exception {
    ProcessBuilder java =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Deferred.class.getName());
    java.environment().putAll(Map.of("TZ", "America/New_York"));
    Process process = java.redirectError(ProcessBuilder.Redirect.INHERIT).start();

    assertThat(process.inputReader().lines()).containsExactly("UTC", "America/New_York");
    assertThat(process.waitFor()).isZero();
  }

  static final class Deferred {
    public static void main(String[] args) {
      SystemZone.defer();
      System.out.println(ZoneId.systemDefault());
      System.out.println(SystemZone.get());
    }
  }
}
