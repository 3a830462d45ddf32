package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmLink;
import io.lapwing.dcgm.DcgmValues.Sample;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * The samples of NVSwitches and their links except SXids. With a field file only its fields: NSCQ
 * reads every port for each field.
 *
 * <pre>
 * DCGM_FI_DEV_NVSWITCH_TEMPERATURE_CURRENT{nvswitch="nvswitch2",Hostname="node-1"} 47      field 858
 * DCGM_FI_DEV_NVSWITCH_LINK_STATUS{nvlink="14",nvswitch="nvswitch2",Hostname="node-1"} 2   field 870
 * DCGM_FI_DEV_NVSWITCH_LINK_CRC_ERRORS{nvlink="14",nvswitch="nvswitch2",...} 0             field 787
 * </pre>
 */
final class DcgmSwitchLinks {

  private static final Map<DcgmFieldId, Metric> OF_SWITCHES =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.DEV_NVSWITCH_TEMPERATURE_CURRENT,
              DcgmMetrics.NVSWITCH_TEMPERATURE_CURRENT,
              DcgmFieldId.DEV_NVSWITCH_POWER_VDD,
              DcgmMetrics.NVSWITCH_POWER_VDD,
              DcgmFieldId.DEV_NVSWITCH_RESET_REQUIRED,
              DcgmMetrics.NVSWITCH_RESET_REQUIRED));

  private static final Map<DcgmFieldId, Metric> OF_LINKS =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.DEV_NVSWITCH_LINK_STATUS,
              DcgmMetrics.NVSWITCH_LINK_STATUS,
              DcgmFieldId.DEV_NVSWITCH_LINK_FATAL_ERRORS,
              DcgmMetrics.NVSWITCH_LINK_FATAL_ERRORS,
              DcgmFieldId.DEV_NVSWITCH_LINK_NON_FATAL_ERRORS,
              DcgmMetrics.NVSWITCH_LINK_NON_FATAL_ERRORS,
              DcgmFieldId.DEV_NVSWITCH_LINK_REPLAY_ERRORS,
              DcgmMetrics.NVSWITCH_LINK_REPLAY_ERRORS,
              DcgmFieldId.DEV_NVSWITCH_LINK_RECOVERY_ERRORS,
              DcgmMetrics.NVSWITCH_LINK_RECOVERY_ERRORS,
              DcgmFieldId.DEV_NVSWITCH_LINK_CRC_ERRORS,
              DcgmMetrics.NVSWITCH_LINK_CRC_ERRORS,
              DcgmFieldId.DEV_NVSWITCH_LINK_ECC_ERRORS,
              DcgmMetrics.NVSWITCH_LINK_ECC_ERRORS,
              DcgmFieldId.DEV_NVSWITCH_LINK_THROUGHPUT_TX,
              DcgmMetrics.NVSWITCH_LINK_THROUGHPUT_TX,
              DcgmFieldId.DEV_NVSWITCH_LINK_THROUGHPUT_RX,
              DcgmMetrics.NVSWITCH_LINK_THROUGHPUT_RX));

  /** Their samples have the time of the error. */
  private static final Set<DcgmFieldId> ERRORS =
      Set.of(
          DcgmFieldId.DEV_NVSWITCH_LINK_FATAL_ERRORS,
          DcgmFieldId.DEV_NVSWITCH_LINK_NON_FATAL_ERRORS);

  private final DcgmSwitches sxids;
  private final DcgmSelectedWatch switches;
  private final DcgmSelectedWatch links;

  DcgmSwitchLinks(DcgmEngine engine, DcgmSwitches sxids, Duration every) {
    this.sxids = sxids;
    this.switches =
        new DcgmSelectedWatch(
            engine, () -> engine.entities(DcgmEntity.Kind.NVSWITCH), OF_SWITCHES, every);
    this.links = new DcgmSelectedWatch(engine, engine::switchLinks, OF_LINKS, every);
  }

  /**
   * A failure is that of the whole engine. When a watch of switches ends, the engine ends all
   * watches of switches and links of the connection, so all are set again.
   */
  Reading<Boolean> read(Instant now, GpuView view) {
    boolean others = switches.isOther(view);
    if (links.isOther(view) || others) {
      switches.end();
      links.end();
      sxids.again();
    }
    return switches.read(now).flatMap(ok -> links.read(now));
  }

  void collect(SampleSink sink, GpuView view) {
    switches.collect(
        sink,
        view,
        one -> Labels.of("nvswitch", DcgmSwitches.name(one.id())),
        watch -> watch::fresh);
    links.collect(
        sink, view, DcgmSwitchLinks::labels, watch -> (link, field) -> sample(watch, link, field));
  }

  private static Labels labels(DcgmEntity entity) {
    DcgmLink link = DcgmLink.of(entity);
    return Labels.of(
        "nvlink", String.valueOf(link.port()), "nvswitch", DcgmSwitches.name(link.nvswitch()));
  }

  private static Reading<Sample> sample(DcgmEntityWatch watch, DcgmEntity link, DcgmFieldId field) {
    return ERRORS.contains(field) ? watch.sample(link, field) : watch.fresh(link, field);
  }
}
