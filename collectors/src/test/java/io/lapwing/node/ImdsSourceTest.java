package io.lapwing.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.SysFs;
import io.lapwing.node.NodeIdentity.Configured;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImdsSourceTest {

  private static final String REBOOT =
      """
      [ {
        "NotBefore" : "21 Jan 2029 09:00:43 GMT",
        "Code" : "system-reboot",
        "Description" : "scheduled reboot",
        "EventId" : "instance-event-0d59937288b749b32",
        "NotAfter" : "21 Jan 2029 09:17:23 GMT",
        "State" : "active"
      } ]
      """;
  private static final String SCHEDULED = "events/maintenance/scheduled";

  private final AtomicLong nanos = new AtomicLong();
  private FakeImds service;
  private Identification identification;
  private ImdsSource source;

  @BeforeEach
  void anInstanceWithoutDmi(@TempDir Path folder) throws IOException {
    service = FakeImds.p5();
    identification =
        new Identification(NodeIdentity.read("node-1", Configured.NOTHING, new SysFs(folder)));
    source = at(service.base());
  }

  @AfterEach
  void end() {
    service.close();
  }

  private ImdsSource at(URI base) {
    return new ImdsSource(base, identification, nanos::get);
  }

  private RecordedSink round() {
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    return RecordedSink.of(source.collectors().get(0));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void identityIsReadOnceAndEventsInEveryRound() {
    assertThat(round().lines()).containsExactly("lapwing_node_maintenance_events 0");
    assertThat(identification.get())
        .isEqualTo(
            new NodeIdentity(
                "node-1",
                new NodeIdentity.Fact("p5.48xlarge", Origin.IMDS),
                new NodeIdentity.Fact("i-0123456789abcdef0", Origin.IMDS),
                "",
                new NodeIdentity.Placement("us-east-1", "us-east-1a", "use1-az4", "on-demand")));
    service.requests();
    round();

    assertThat(service.requests())
        .as("an on-demand instance is not interrupted")
        .containsExactly(SCHEDULED);
  }

  @Test
  void aScheduledEventIsExportedUntilItIsOver() {
    service.with(SCHEDULED, REBOOT);
    assertThat(round().lines())
        .containsExactly(
            "lapwing_node_maintenance_events 1",
            "lapwing_node_maintenance_event{event_id=\"instance-event-0d59937288b749b32\",code=\"system-reboot\",state=\"active\"}"
                + " 1",
            "lapwing_node_maintenance_not_before_timestamp_seconds{event_id=\"instance-event-0d59937288b749b32\",code=\"system-reboot\"}"
                + " 1863680443");
    assertThat(source.maintenance().orElseThrow())
        .containsExactly(
            new MaintenanceEvent(
                "instance-event-0d59937288b749b32",
                "system-reboot",
                "active",
                Optional.of(Instant.parse("2029-01-21T09:00:43Z")),
                "scheduled reboot"));

    service.with(SCHEDULED, REBOOT.replace("active", "completed"));
    assertThat(round().lines()).containsExactly("lapwing_node_maintenance_events 0");
    service.with(SCHEDULED, "[]");
    assertThat(round().lines()).containsExactly("lapwing_node_maintenance_events 0");
  }

  @Test
  void theSameEventHasTheSameLabelsInEveryRound() {
    service.with(SCHEDULED, REBOOT);

    assertThat(round().samples().get(1).labels()).isSameAs(round().samples().get(1).labels());
  }

  @Test
  void malformedEventsAreAFailureNotZeroEvents() {
    service.with(SCHEDULED, "[{\"Code\": ");
    RecordedSink run = round();

    assertThat(run.lines()).isEmpty();
    assertThat(run.failures()).containsExactly(SCHEDULED + ": malformed");
    assertThat(source.maintenance()).isEmpty();
    assertThat(identification.get().instanceType().text()).isEqualTo("p5.48xlarge");
  }

  @Test
  void anEventWithAMalformedTimeIsAnEvent() {
    service.with(SCHEDULED, REBOOT.replace("21 Jan 2029", "someday"));
    RecordedSink run = round();

    assertThat(run.lines())
        .hasSize(2)
        .contains("lapwing_node_maintenance_events 1")
        .noneMatch(line -> line.contains("not_before"));
    assertThat(run.failures()).containsExactly(SCHEDULED + ": malformed");
  }

  @Test
  void aSpotInterruptionIsExported() {
    service.with("instance-life-cycle", "spot");
    round();
    service.with(
        "spot/instance-action", "{\"action\": \"terminate\", \"time\": \"2029-01-21T09:00:43Z\"}");

    assertThat(round().lines())
        .containsExactly(
            "lapwing_node_maintenance_events 0",
            "lapwing_node_spot_interruption_timestamp_seconds{action=\"terminate\"} 1863680443");
    assertThat(source.spotInterruption().orElseThrow().action()).isEqualTo("terminate");
    service.with("spot/instance-action", "terminate");
    RecordedSink run = round();
    assertThat(run.lines()).containsExactly("lapwing_node_maintenance_events 0");
    assertThat(run.failures()).containsExactly("spot/instance-action: malformed");
    service.without("spot/instance-action");
    round();
    assertThat(source.spotInterruption()).isEmpty();
  }

  @Test
  void missingItemsAreRetriedAfterHoursAndFailedOnesInTheNextRound() {
    service.without("placement/availability-zone-id").answering("placement/region", 503);
    assertThat(round().failures()).containsExactly("placement/region: bad_status");
    service.answering("placement/region", 200);
    assertThat(service.requests()).doesNotContain("placement/availability-zone");

    service.answering("placement/region", 404);
    round();
    assertThat(service.requests()).contains("placement/region", "placement/availability-zone-id");
    round();
    assertThat(service.requests()).containsExactly(SCHEDULED);
    pass(Duration.ofHours(7));
    round();
    assertThat(service.requests()).contains("placement/region", "placement/availability-zone-id");
  }

  @Test
  void aMalformedNameIsRejected() {
    service.with("instance-type", "<html><body>Please log in</body></html>");

    assertThat(round().failures()).containsExactly("instance-type: malformed");
    assertThat(identification.get().instanceType()).isEqualTo(NodeIdentity.Fact.UNKNOWN);
    assertThat(identification.get().instanceId().text()).isEqualTo("i-0123456789abcdef0");
  }

  @Test
  void thePrefixOfHyperPodIsRemoved() {
    service.with("instance-type", "ml.p5.48xlarge");
    round();

    assertThat(identification.get().instanceType())
        .isEqualTo(new NodeIdentity.Fact("p5.48xlarge", Origin.IMDS));
  }

  @Test
  void aServiceThatNeverRepliedIsAbsentAndRetriedWithBackoff() {
    service.refuseTokens(403);
    Access first = source.begin(source.collectors());
    assertThat(first).isInstanceOf(Access.NothingHere.class);
    assertThat(((Access.NothingHere) first).why()).contains("refused", service.base().toString());
    assertThat(service.requests()).containsExactly("token");

    assertThat(source.begin(source.collectors())).isSameAs(first);
    assertThat(service.requests()).isEmpty();
    int asked = 0;
    for (int minute = 0; minute < 240; minute++) {
      pass(Duration.ofMinutes(1));
      source.begin(source.collectors());
      asked += service.requests().size();
    }
    assertThat(asked).isBetween(8, 16);
    service.refuseTokens(200);
    pass(Duration.ofMinutes(30));
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
  }

  @Test
  void aServiceThatStopsReplyingIsDownAndItsEventsUnknown() {
    service.with(SCHEDULED, REBOOT);
    round();
    service.refuseTokens(500);
    pass(Duration.ofHours(6));

    assertThat(source.begin(source.collectors()))
        .isEqualTo(new Access.Down("bad_status", "no longer any response from " + service.base()));
    assertThat(source.maintenance()).isEmpty();
    assertThat(identification.get().instanceType().text()).isEqualTo("p5.48xlarge");
  }

  @Test
  void aRequestWithoutResponseEndsTheRound() {
    service.answering(SCHEDULED, 500);
    RecordedSink run = round();

    assertThat(run.failures()).containsExactly(SCHEDULED + ": bad_status");
    assertThat(service.requests()).containsExactly("token", SCHEDULED);
  }

  @Test
  void configurationAndFirmwareTakePrecedence(@TempDir Path folder) {
    NodeIdentity configured =
        NodeIdentity.read("node-1", new Configured("ml.p4d.24xlarge", ""), new SysFs(folder));
    identification = new Identification(configured);
    source = at(service.base());
    round();

    assertThat(identification.get().instanceType())
        .isEqualTo(new NodeIdentity.Fact("p4d.24xlarge", Origin.CONFIGURATION));
    assertThat(identification.get().instanceId())
        .isEqualTo(new NodeIdentity.Fact("i-0123456789abcdef0", Origin.IMDS));
  }

  @Test
  void itIsAWholePart() {
    assertThat(source.part().orElseThrow().kind()).isEqualTo("imds");
    assertThat(source.part().orElseThrow().name()).isEmpty();
    assertThat(source.name()).isEqualTo("imds");
  }
}
