package io.lapwing.agent.metrics;

import io.lapwing.agent.preset.Families;
import io.lapwing.agent.preset.Preset;
import io.lapwing.metric.Samples;
import io.lapwing.metric.Series;
import io.lapwing.metric.SeriesSelection;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Selects the samples of a preset, and names them. Caches the selection by list of series, so that
 * a response looks up no name while the series are unchanged. Not thread-safe.
 */
final class PresetFilter {

  private final Families families;
  private IdentityHashMap<List<Series>, SeriesSelection> known = new IdentityHashMap<>();
  private IdentityHashMap<List<Series>, SeriesSelection> before = new IdentityHashMap<>();

  PresetFilter(Families families) {
    this.families = families;
  }

  /** Everything. */
  static PresetFilter none() {
    return new PresetFilter(new Families(Preset.FULL, false));
  }

  Families families() {
    return families;
  }

  /** Begins another response; drops the series that the previous one did not have. */
  void begin() {
    before = known;
    known = new IdentityHashMap<>();
  }

  Samples of(Samples run) {
    if (families.isEverything()) {
      return run;
    }
    SeriesSelection selection = before.get(run.series());
    if (selection == null) {
      selection = SeriesSelection.of(run.series(), families::shown);
    }
    known.put(run.series(), selection);
    return selection.from(run);
  }
}
