package io.lapwing.node;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import java.io.IOException;
import java.util.Optional;

/**
 * Whether EC2 takes this spot instance back.
 *
 * <pre>
 * lapwing_node_spot_interruption_timestamp_seconds{action="terminate"} 1.5e9      spot/instance-action
 * </pre>
 */
final class SpotWatch {

  private static final String PATH = "spot/instance-action";

  private volatile Optional<SpotInterruption> known = Optional.empty();
  private Labels labels = Labels.NONE;

  /** Empty while this instance is not taken back, as far as is known. */
  Optional<SpotInterruption> known() {
    return known;
  }

  /** Asks, and says whether there was an answer. */
  boolean look(Imds imds, SampleSink sink) {
    Reading<String> text = imds.get(PATH);
    try {
      if (text instanceof Reading.Present<String> present) {
        remember(Optional.of(Announcements.spot(present.value())));
        put(sink);
      } else if (text instanceof Reading.Missing) {
        remember(Optional.empty());
      }
    } catch (IOException malformed) {
      sink.failed(PATH, "malformed");
    }
    return Imds.answered(text, sink);
  }

  private void remember(Optional<SpotInterruption> told) {
    if (!told.equals(known)) {
      labels = told.map(one -> Labels.of("action", one.action())).orElse(Labels.NONE);
      known = told;
    }
  }

  private void put(SampleSink sink) {
    known.ifPresent(
        one -> sink.add(NodeMetrics.SPOT_INTERRUPTION, labels, (double) one.at().getEpochSecond()));
  }
}
