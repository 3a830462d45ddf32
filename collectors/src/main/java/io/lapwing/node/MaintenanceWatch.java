package io.lapwing.node;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The maintenance events scheduled for this instance.
 *
 * <pre>
 * lapwing_node_maintenance_events 1                                     events/maintenance/scheduled
 * lapwing_node_maintenance_event{event_id="instance-event-0d5...",code="system-reboot",state="active"} 1
 * lapwing_node_maintenance_not_before_timestamp_seconds{event_id="instance-event-0d5...",code="system-reboot"} 1.5e9
 * </pre>
 */
final class MaintenanceWatch {

  private static final String PATH = "events/maintenance/scheduled";

  private List<LabelledEvent> labelled = List.of();
  private volatile Optional<List<MaintenanceEvent>> known = Optional.empty();

  /** An event with the labels of its two series. */
  private record LabelledEvent(MaintenanceEvent event, Labels what, Labels when) {

    static LabelledEvent of(MaintenanceEvent event) {
      Labels when = Labels.of("event_id", event.id(), "code", event.code());
      return new LabelledEvent(event, when.with("state", event.state()), when);
    }
  }

  /** Scheduled events, possibly none; empty while unknown. */
  Optional<List<MaintenanceEvent>> known() {
    return known;
  }

  void forget() {
    update(Optional.empty());
  }

  /** Reads the events; whether there was a response. */
  boolean poll(Imds imds, SampleSink sink) {
    Reading<String> text = imds.get(PATH);
    try {
      update(events(text));
    } catch (IOException malformed) {
      forget();
      sink.failed(PATH, "malformed");
    }
    put(sink);
    return Imds.answered(text, sink);
  }

  /** The item does not exist if nothing is scheduled. */
  private static Optional<List<MaintenanceEvent>> events(Reading<String> text) throws IOException {
    if (text instanceof Reading.Present<String> present) {
      return Optional.of(ImdsEvents.maintenance(present.value()));
    }
    return text instanceof Reading.Missing ? Optional.of(List.of()) : Optional.empty();
  }

  private void update(Optional<List<MaintenanceEvent>> events) {
    if (!events.equals(known)) {
      labelled = events.orElse(List.of()).stream().map(LabelledEvent::of).toList();
      known = events;
    }
  }

  private void put(SampleSink sink) {
    if (known.isEmpty()) {
      return;
    }
    sink.add(NodeMetrics.MAINTENANCE_EVENTS, Labels.NONE, labelled.size());
    for (LabelledEvent one : labelled) {
      sink.add(NodeMetrics.MAINTENANCE_EVENT, one.what(), 1);
      one.event()
          .notBefore()
          .ifPresentOrElse(
              at ->
                  sink.add(
                      NodeMetrics.MAINTENANCE_NOT_BEFORE, one.when(), (double) at.getEpochSecond()),
              () -> sink.failed(PATH, "malformed"));
    }
  }
}
