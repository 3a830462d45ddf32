package io.lapwing.inference;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.collect.SampleSink;
import io.lapwing.exposition.ExpositionText;
import io.lapwing.fuzz.Target;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Responses of inference engines. */
public final class InferenceTargets {

  private InferenceTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofBytes("engine-page", InferenceTargets::page)
            .recordings("collectors/src/test/resources/io/lapwing/inference/*.txt"));
  }

  /** Twice: what is known of a series by then takes another way. */
  private static void page(byte[] input) throws IOException {
    EngineTotals totals = new EngineTotals("a:1", new SeriesRoom(SeriesRoom.MAX_SERIES));
    ExpositionText text =
        new ExpositionText(EngineSeries.Meaning.NAMES, ExpositionText.Limits.DEFAULT);
    for (int round = 0; round < 2; round++) {
      totals.begin();
      text.read(new ByteArrayInputStream(input), totals::take);
      for (Engine engine : Engine.values()) {
        totals.put(engine, new Once());
      }
    }
  }

  /** Prometheus rejects a response with a duplicate series. */
  private static final class Once implements SampleSink {
    private final Set<List<Object>> seen = new HashSet<>();

    @Override
    public void add(Metric metric, Labels labels, double value) {
      demand(seen.add(List.of(metric.sampleName(), labels)), "duplicate series");
      demand(value >= 0, "a count below zero");
    }

    @Override
    public void failed(String question, String reason) {}
  }
}
