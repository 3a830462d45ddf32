package io.lapwing.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.stack.Alert;
import io.lapwing.stack.Alertmanager;
import io.lapwing.stack.Prometheus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A switch of an NVLink domain fails: its trays lose the same link, and are one alert. */
@Tag("slow")
@Tag("servers")
final class DomainAlertTest {

  private static final Duration PATIENCE = Duration.ofMinutes(8);
  private static final String TRAY = "p6e-gb200.36xlarge";
  private static final List<String> HIT = List.of("tray-a", "tray-b");
  private static final String FINE = "tray-c";

  /** Time for the nodes to start, one after the other. */
  private static final Duration BEFORE = Duration.ofSeconds(90);

  @TempDir private Path dir;

  /** Link 9 of one GPU goes down at that time, and the driver asks for a reset after a drain. */
  private Path scenario(String name, Instant at) throws IOException {
    String text =
        """
        summary: Link 9 of GPU 2 goes down, as on the other trays of its domain
        set:
          gpu.2.nvlink.error.link: 9
        steps:
          - at: %ds
            xid:
              - 2 149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 09 (0x025525c6 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000)
              - 2 154, GPU recovery action changed from 0x0 (None) to 0x4 (Drain and Reset)
            set:
              gpu.2.nvlink.inactive: 9
              gpu.2.nvlink.symbol_errors: 4800
              gpu.2.recovery.action: 4
        """
            .formatted(Math.max(1, Duration.between(Instant.now(), at).toSeconds()));
    return Files.writeString(dir.resolve(name + ".yaml"), text);
  }

  @Test
  void theTraysOfADomainAreOneAlert() throws Exception {
    assumeTrue(Prometheus.program().isPresent(), "this machine has no prometheus");
    assumeTrue(Alertmanager.program().isPresent(), "this machine has no prometheus-alertmanager");
    try (TriedFleet fleet = new TriedFleet(dir)) {
      fleet.add(FINE, TRAY, "healthy");
      Instant fails = Instant.now().plus(BEFORE);
      for (String name : HIT) {
        fleet.add(name, TRAY, scenario(name, fails).toString());
      }

      await("one alert of the domain").atMost(PATIENCE).until(() -> domain(fleet).isPresent());
      Alert alert = domain(fleet).orElseThrow();
      assertThat(alert.label("severity")).isEqualTo("critical");
      assertThat(alert.annotation("description"))
          .contains(
              "Clique 2 of NVLink domain 3f1c9a52-7b0e-4c6d-9e28-5d41a7c0b386", "tray-a", "tray-b")
          .doesNotContain(FINE);

      // A tray whose finding came first had an alert of its own until the second one's.
      await("no alert of a single tray")
          .atMost(PATIENCE)
          .until(() -> HIT.stream().allMatch(name -> fleet.standing(name).isEmpty()));
      assertThat(domain(fleet)).isPresent();
      assertThat(fleet.arrived(FINE)).isEmpty();
      assertThat(fleet.prometheus().query("count(lapwing_health_finding{rule='recovery_action'})"))
          .as("what the driver requests is part of it")
          .singleElement()
          .satisfies(one -> assertThat(one.points().get(0).value()).isEqualTo(2));
    }
  }

  /** Critical, as it is once the XIDs of both trays are confirmed. */
  private static Optional<Alert> domain(TriedFleet fleet) {
    return fleet.standing("").stream()
        .filter(alert -> alert.name().equals("LapwingNvlinkDomain"))
        .filter(alert -> alert.label("severity").equals("critical"))
        .findFirst();
  }
}
