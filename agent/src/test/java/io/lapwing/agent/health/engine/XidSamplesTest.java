package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.gpu.GpuContext;
import io.lapwing.gpu.GpuIdentity;
import io.lapwing.gpu.GpuLabelling;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.GpuView;
import io.lapwing.gpu.GpuView.FieldSelection;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Metric.Detail;
import io.lapwing.xid.XidTable;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class XidSamplesTest {

  private static final XidTable TABLE = XidTable.load();
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String WINDOW_LABEL = "window_size_in_ms=\"300000\",";
  private static final String NONE_IN_WINDOW =
      "DCGM_EXP_XID_ERRORS_COUNT{window_size_in_ms=\"300000\"} 0";

  private final XidCounters xids = new XidCounters(TABLE);
  private final GpuRoster roster = new GpuRoster();
  private Instant now = NOW;

  XidSamplesTest() {
    seen(0, "GPU-0");
    seen(1, "GPU-1");
  }

  private void seen(int index, String uuid) {
    Labels own = Labels.of("gpu", String.valueOf(index), "UUID", uuid);
    Labels foreign =
        own.with("pci_bus_id", "")
            .with("device", "nvidia" + index)
            .with("modelName", "H100")
            .with("Hostname", "node-1");
    String pci = "00000000:5" + index + ":00.0";
    GpuIdentity identity = new GpuIdentity(index, uuid, "H100", "", pci, "", "", "");
    roster.present(new GpuRoster.Known(identity, foreign, own, 1));
  }

  private XidSamples samples(FieldSelection selection) {
    NvmlDriver driver = new NvmlDriver(() -> new Reading.Missing<>("libnvidia-ml.so.1"));
    GpuView view = new GpuView(selection, GpuLabelling.dcgm("node-1"));
    return new XidSamples(xids, new GpuContext(driver, roster, view, () -> now, () -> 0), WINDOW);
  }

  private final XidSamples source = samples(FieldSelection.ALL);

  private record Sample(Metric metric, Labels labels, double value) {

    /** Without the labels of the GPU: six on DCGM's names, else two. */
    private String line() {
      int first = metric.foreign() ? 6 : 2;
      String pairs =
          IntStream.range(first, labels.names().size())
              .mapToObj(i -> labels.names().get(i) + "=\"" + labels.values().get(i) + "\"")
              .collect(Collectors.joining(","));
      String number = BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
      return metric.sampleName() + (pairs.isEmpty() ? "" : "{" + pairs + "}") + " " + number;
    }
  }

  private static List<Sample> round(XidSamples of) {
    List<Sample> samples = new ArrayList<>();
    of.collect(
        new SampleSink() {
          @Override
          public void add(Metric metric, Labels labels, double value) {
            samples.add(new Sample(metric, labels, value));
          }

          @Override
          public void failed(String question, String reason) {
            throw new AssertionError(question + ": " + reason);
          }
        });
    return samples;
  }

  private List<String> page(String uuid) {
    List<Sample> samples = round(source);
    assertThat(samples)
        .allSatisfy(
            sample ->
                assertThat(sample.labels().names())
                    .isEqualTo(
                        sample.line().equals(NONE_IN_WINDOW)
                            ? sample.metric().labels().subList(0, 7)
                            : sample.metric().labels()));
    return samples.stream()
        .filter(sample -> sample.labels().values().contains(uuid))
        .map(Sample::line)
        .toList();
  }

  private void xid(String uuid, long number) {
    xids.add(new XidCounters.Occurrence(uuid, number, now, 1));
  }

  private static String total(long xid, long times) {
    return "lapwing_gpu_xid_errors_total{xid=\"" + xid + "\"} " + times;
  }

  private static String dcgmTotal(long xid, long times) {
    return "DCGM_EXP_XID_ERRORS_TOTAL{xid=\"" + xid + "\"} " + times;
  }

  private static Event.Xid onInstance(int instance, long times) {
    return new Event.Xid(
        NOW,
        "GPU-0",
        "",
        OptionalInt.of(instance),
        OptionalInt.empty(),
        94,
        OptionalLong.empty(),
        "",
        "",
        OptionalInt.empty(),
        Set.of(Event.Origin.NVML),
        times,
        OptionalLong.empty());
  }

  @Test
  void xidsOfMigInstancesAreCountedForEachToo() {
    xids.add(onInstance(7, 2));
    xids.add(onInstance(9, 1));
    xids.add(onInstance(7, 1));
    xids.add(onInstance(4711, 1));

    assertThat(page("GPU-0"))
        .contains(
            "lapwing_gpu_xid_errors_total{xid=\"94\"} 5",
            "lapwing_gpu_instance_xid_errors_total{GPU_I_ID=\"7\",xid=\"94\"} 3",
            "lapwing_gpu_instance_xid_errors_total{GPU_I_ID=\"9\",xid=\"94\"} 1")
        .noneMatch(line -> line.contains("4711"));
    assertThat(page("GPU-1")).noneMatch(line -> line.contains("GPU_I_ID"));

    xids.add(new Event.Booted(NOW, "b", ""));
    assertThat(page("GPU-0")).noneMatch(line -> line.contains("GPU_I_ID"));
  }

  @Test
  void everyXidThatCallsForActionStartsAtZero() {
    List<String> expected = new ArrayList<>(List.of("DCGM_FI_DEV_XID_ERRORS 0"));
    TABLE.callingForAction("H100").forEach(xid -> expected.addAll(zeros(xid)));
    expected.add(NONE_IN_WINDOW);
    assertThat(page("GPU-0")).isEqualTo(expected);
  }

  private static List<String> zeros(long xid) {
    return XidSamples.FROM_ZERO.contains(xid)
        ? List.of(total(xid, 0), dcgmTotal(xid, 0))
        : List.of(total(xid, 0));
  }

  @Test
  void commonXidsStartAtZeroInStandardAndTheOthersInFullOnly() {
    Map<Detail, Set<Long>> details =
        round(source).stream()
            .filter(sample -> sample.metric().name().equals("lapwing_gpu_xid_errors_total"))
            .collect(
                Collectors.groupingBy(
                    sample -> sample.metric().detail(),
                    Collectors.mapping(
                        sample -> Long.valueOf(sample.labels().values().get(2)),
                        Collectors.toSet())));
    assertThat(details).containsOnlyKeys(Detail.SOME, Detail.MOST);
    assertThat(details.get(Detail.SOME)).isEqualTo(XidSamples.FROM_ZERO);
    xid("GPU-0", 79);
    assertThat(round(source))
        .filteredOn(sample -> sample.line().equals(total(79, 1)))
        .singleElement()
        .satisfies(one -> assertThat(one.metric().detail()).isEqualTo(Detail.NONE));
  }

  @Test
  void theSameXidTwiceCountsTwiceOnItsOwnGpuOnly() {
    xid("GPU-1", 94);
    now = NOW.plusMillis(2500);
    xid("GPU-1", 94);
    assertThat(page("GPU-1"))
        .contains(
            "DCGM_FI_DEV_XID_ERRORS 94",
            total(94, 2),
            "lapwing_gpu_xid_last_seen_timestamp_seconds{xid=\"94\"} 1767225602.5",
            "DCGM_EXP_XID_ERRORS_COUNT{" + WINDOW_LABEL + "xid=\"94\"} 2",
            dcgmTotal(94, 2));
    assertThat(page("GPU-0"))
        .contains("DCGM_FI_DEV_XID_ERRORS 0", total(94, 0), dcgmTotal(94, 0), NONE_IN_WINDOW)
        .hasSize(29 + XidSamples.FROM_ZERO.size());
  }

  @Test
  void manyAtOnceAreCountedAtOnce() {
    xids.add(new XidCounters.Occurrence("GPU-1", 31, now, 500));
    assertThat(page("GPU-1"))
        .contains(total(31, 500), "DCGM_EXP_XID_ERRORS_COUNT{" + WINDOW_LABEL + "xid=\"31\"} 500");
  }

  @Test
  void aGpuThatNvmlDoesNotKnowIsCountedToo() {
    xids.add(new XidCounters.Occurrence("0000:53:00", 79, now, 1));
    assertThat(page("0000:53:00"))
        .containsExactly(
            total(79, 1), "lapwing_gpu_xid_last_seen_timestamp_seconds{xid=\"79\"} 1767225600");
  }

  @Test
  void itsCountMovesToTheGpuOnceItsUuidIsKnown() {
    xid("GPU-2", 79);
    now = NOW.plusSeconds(1);
    xid("0000:52:00", 79);
    assertThat(page("0000:52:00")).contains(total(79, 1));
    seen(2, "GPU-2");
    assertThat(page("GPU-2"))
        .contains(
            "DCGM_FI_DEV_XID_ERRORS 79",
            total(79, 2),
            "lapwing_gpu_xid_last_seen_timestamp_seconds{xid=\"79\"} 1767225601",
            "DCGM_EXP_XID_ERRORS_COUNT{" + WINDOW_LABEL + "xid=\"79\"} 2");
    assertThat(page("0000:52:00")).isEmpty();
  }

  @Test
  void anUnexpectedXidIsCountedFromItsFirstOccurrence() {
    xid("GPU-0", 31);
    assertThat(page("GPU-0")).contains(total(31, 1), total(48, 0), "DCGM_FI_DEV_XID_ERRORS 31");
    assertThat(page("GPU-1")).noneMatch(line -> line.contains("xid=\"31\""));
  }

  @Test
  void theWindowForgetsWhatTheCounterKeeps() {
    xid("GPU-0", 79);
    now = NOW.plus(WINDOW).plusMillis(1);
    assertThat(page("GPU-0"))
        .contains("DCGM_FI_DEV_XID_ERRORS 79", total(79, 1), dcgmTotal(79, 1), NONE_IN_WINDOW)
        .noneMatch(line -> line.startsWith("DCGM_EXP_XID_ERRORS_COUNT") && line.contains("xid="));
  }

  @Test
  void aLostGpuKeepsItsCounts() {
    xid("GPU-1", 79);
    seen(1, "GPU-2");
    assertThat(page("GPU-1")).contains(total(79, 1));
    assertThat(page("GPU-2")).contains(total(79, 0));
  }

  @Test
  void aSelectionDropsForeignFamiliesAndNoneOfOurOwn() {
    xid("GPU-0", 79);
    FieldSelection none = FieldSelection.of(Map.of());
    assertThat(round(samples(none))).isNotEmpty().noneMatch(sample -> sample.metric().foreign());
  }

  @Test
  void aSelectedFamilyHasTheTypeAndTheHelpOfItsLine() {
    Metric asked = Metric.counter("DCGM_FI_DEV_XID_ERRORS", "as asked");
    FieldSelection one = FieldSelection.of(Map.of(asked.name(), asked));
    assertThat(round(samples(one)))
        .filteredOn(sample -> sample.metric().foreign())
        .allSatisfy(sample -> assertThat(sample.metric()).isSameAs(asked))
        .isNotEmpty();
  }

  @Test
  void seriesKeepTheirLabelsObject() {
    xid("GPU-0", 79);
    List<Labels> before = round(source).stream().map(Sample::labels).toList();
    List<Labels> after = round(source).stream().map(Sample::labels).toList();
    for (int i = 0; i < before.size(); i++) {
      assertThat(after.get(i)).isSameAs(before.get(i));
    }
  }
}
