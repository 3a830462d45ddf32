package io.lapwing.node;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.node.ImdsSource.SpotInterruption;
import java.io.IOException;
import java.util.Optional;

/**
 * The announced interruption of this spot instance.
 *
 * <pre>
 * lapwing_node_spot_interruption_timestamp_seconds{action="terminate"} 1.5e9      spot/instance-action
 * </pre>
 */
final class SpotWatch {

  private static final String PATH = "spot/instance-action";

  private volatile Optional<SpotInterruption> known = Optional.empty();
  private Labels labels = Labels.NONE;

  /** Empty while no interruption is announced. */
  Optional<SpotInterruption> known() {
    return known;
  }

  /** Reads the announcement; whether there was a response. */
  boolean poll(Imds imds, SampleSink sink) {
    Reading<String> text = imds.get(PATH);
    try {
      if (text instanceof Reading.Present<String> present) {
        update(Optional.of(ImdsEvents.spot(present.value())));
        put(sink);
      } else if (text instanceof Reading.Missing) {
        update(Optional.empty());
      }
    } catch (IOException malformed) {
      sink.failed(PATH, "malformed");
    }
    return Imds.answered(text, sink);
  }

  private void update(Optional<SpotInterruption> now) {
    if (!now.equals(known)) {
      labels = now.map(one -> Labels.of("action", one.action())).orElse(Labels.NONE);
      known = now;
    }
  }

  private void put(SampleSink sink) {
    known.ifPresent(
        one -> sink.add(NodeMetrics.SPOT_INTERRUPTION, labels, (double) one.at().getEpochSecond()));
  }
}
