package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmValues;
import io.lapwing.dcgm.DcgmValues.Sample;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/**
 * The SXids of the NVSwitches that the host engine sees; it needs NVIDIA's library NSCQ for that.
 *
 * <pre>
 * DCGM_FI_DEV_NVSWITCH_FATAL_ERRORS{nvswitch="nvswitch2",Hostname="node-1"} 20034     field 856
 * DCGM_FI_DEV_NVSWITCH_NON_FATAL_ERRORS{nvswitch="nvswitch2",...} 20009               field 857
 * </pre>
 */
final class DcgmSwitches {

  private static final Map<DcgmFieldId, Metric> METRICS =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.DEV_NVSWITCH_FATAL_ERRORS, DcgmMetrics.NVSWITCH_FATAL_ERRORS,
              DcgmFieldId.DEV_NVSWITCH_NON_FATAL_ERRORS, DcgmMetrics.NVSWITCH_NON_FATAL_ERRORS));

  private final DcgmEntityWatch watch;

  DcgmSwitches(DcgmEngine engine, Duration every) {
    this.watch = DcgmEntityWatch.of(engine, DcgmEntity.Kind.NVSWITCH, METRICS.keySet(), every);
  }

  /** A failure is that of the whole engine. */
  Reading<Boolean> read(Instant now) {
    return watch.read(now);
  }

  /** Another watch of switches ended on this connection, and with it this one. */
  void again() {
    watch.again();
  }

  void collect(SampleSink sink, GpuView view) {
    watch.collect(
        sink,
        view,
        METRICS,
        one -> Labels.of("nvswitch", name(one.id())),
        watch::sample,
        DcgmSwitches::isWithoutError);
  }

  /** As dcgm-exporter names it. */
  static String name(int id) {
    return "nvswitch" + id;
  }

  /** A switch without an error has no sample. */
  private static boolean isWithoutError(DcgmFieldId field, Reading<Sample> sample) {
    return sample.failure().filter(DcgmValues.NO_DATA::equals).isPresent();
  }
}
