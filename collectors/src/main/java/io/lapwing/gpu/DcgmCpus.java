package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmValues.Sample;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/**
 * The Grace CPUs that the host engine sees, one for each socket.
 *
 * <pre>
 * DCGM_FI_DEV_CPU_UTIL_TOTAL{cpu="0",Hostname="node-1"} 0.31         field 1100, a ratio
 * DCGM_FI_DEV_CPU_TEMP_CURRENT{cpu="0",...} 43.9                     field 1110, degrees C
 * DCGM_FI_DEV_CPU_POWER_UTIL_CURRENT{cpu="0",...} 87.2               field 1130, W
 * DCGM_FI_DEV_MODULE_POWER_UTIL_CURRENT{cpu="0",...} 1210            field 1133, W
 * </pre>
 */
final class DcgmCpus {

  private static final Map<DcgmFieldId, Metric> METRICS =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.DEV_CPU_UTIL_TOTAL, DcgmMetrics.CPU_UTIL_TOTAL,
              DcgmFieldId.DEV_CPU_TEMP_CURRENT, DcgmMetrics.CPU_TEMP_CURRENT,
              DcgmFieldId.DEV_CPU_POWER_UTIL_CURRENT, DcgmMetrics.CPU_POWER_UTIL_CURRENT,
              DcgmFieldId.DEV_CPU_POWER_LIMIT, DcgmMetrics.CPU_POWER_LIMIT,
              DcgmFieldId.DEV_SYSIO_POWER_UTIL_CURRENT, DcgmMetrics.SYSIO_POWER_UTIL_CURRENT,
              DcgmFieldId.DEV_MODULE_POWER_UTIL_CURRENT, DcgmMetrics.MODULE_POWER_UTIL_CURRENT));

  private final DcgmEntityWatch watch;

  DcgmCpus(DcgmEngine engine, Duration every) {
    this.watch = DcgmEntityWatch.of(engine, DcgmEntity.Kind.CPU, METRICS.keySet(), every);
  }

  /** A failure is that of the whole engine. */
  Reading<Boolean> read(Instant now) {
    return watch.read(now);
  }

  void collect(SampleSink sink, GpuView view) {
    watch.collect(
        sink,
        view,
        METRICS,
        cpu -> Labels.of("cpu", String.valueOf(cpu.id())),
        watch::fresh,
        DcgmCpus::isMissing);
  }

  /**
   * A sensor that the engine does not find reads 0: the module of the engine that reads CPUs passes
   * no status on. A CPU that runs has neither 0 degrees nor 0 watts.
   */
  private static boolean isMissing(DcgmFieldId field, Reading<Sample> sample) {
    boolean zero = sample.toOptional().filter(found -> found.value() == 0).isPresent();
    return DcgmEntityWatch.isWithoutValue(sample)
        || (zero && field != DcgmFieldId.DEV_CPU_UTIL_TOTAL);
  }
}
