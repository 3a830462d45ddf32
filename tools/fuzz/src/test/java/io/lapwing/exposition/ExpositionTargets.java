package io.lapwing.exposition;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.fuzz.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;

/** Pages in Prometheus' text format. */
public final class ExpositionTargets {

  private static final ExpositionText.Limits TIGHT = new ExpositionText.Limits(4000, 40, 40, 3, 16);

  private ExpositionTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofBytes("exposition", ExpositionTargets::page)
            .seeds(
                "# TYPE a counter\na{b=\"c\\\"d\\n\",e=\"f\"} 1.5e3 1700000000\n# EOF\n",
                "a 0x\na{} NaN\na{l=\"\u00e9\"} +Inf # {trace_id=\"1\"} 0.5\n"));
  }

  private static void page(byte[] input) throws IOException {
    SampleNames names = SampleNames.of(List.of("a", "b"), List.of("v"));
    for (ExpositionText.Limits limits : List.of(TIGHT, ExpositionText.Limits.DEFAULT)) {
      long[] samples = {0};
      ExpositionText.Tally tally =
          new ExpositionText(names, limits)
              .read(
                  new ByteArrayInputStream(input),
                  sample -> {
                    samples[0]++;
                    sample.value();
                    sample.label("le");
                  });
      demand(samples[0] == tally.samples(), "a sample was not counted");
      demand(tally.malformed() + tally.samples() <= tally.lines(), "more samples than lines");
    }
  }
}
