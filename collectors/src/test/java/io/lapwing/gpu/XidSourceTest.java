package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.StillNode;
import io.lapwing.xid.XidTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class XidSourceTest {

  private static final XidTable TABLE = XidTable.load();
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final Instant NOW = Instant.ofEpochSecond(StillNode.EPOCH);
  private static final String WINDOW_LABEL = "window_size_in_ms=\"300000\",";

  private final Xids xids = new Xids(TABLE.callingForAction());
  private final GpuRoster roster = new GpuRoster();
  private Instant now = NOW;

  XidSourceTest() {
    seen(0, "GPU-0");
    seen(1, "GPU-1");
  }

  private void seen(int index, String uuid) {
    GpuIdentity identity = new GpuIdentity(index, uuid, "H100", "", "", "", "", "");
    GpuLabels labels =
        GpuLabelling.dcgm("node-1")
            .labels(
                identity,
                new LabelField.Facts(identity, Probe.VERSIONS, StillNode.present(handle())));
    roster.present(new GpuRoster.Known(identity, labels.foreign(), labels.own(), 1));
  }

  private static Reading<io.lapwing.nvml.NvmlGpu> handle() {
    FakeNvml nvml = new FakeNvml(1);
    StillNode.present(nvml.init());
    return nvml.gpu(0);
  }

  private XidSource source(GpuView view) {
    NvmlDriver driver = new NvmlDriver(() -> Reading.of(new FakeNvml(2)));
    return new XidSource(
        new XidWatch(driver, roster, () -> now, System::nanoTime, xids::add),
        xids,
        roster,
        view,
        WINDOW,
        () -> now);
  }

  private final XidSource source = source(Probe.VIEW);

  private RecordedSink round(XidSource of) {
    return RecordedSink.of(of.collectors().get(0));
  }

  private List<String> page(String uuid) {
    RecordedSink sink = round(source);
    assertThat(sink.samples())
        .allSatisfy(
            sample -> assertThat(sample.labels().names()).isEqualTo(sample.metric().labels()));
    List<RecordedSink.Sample> samples = sink.samples();
    List<String> lines = sink.gpuLines();
    return java.util.stream.IntStream.range(0, lines.size())
        .filter(i -> samples.get(i).labels().values().contains(uuid))
        .mapToObj(lines::get)
        .toList();
  }

  private void xid(String uuid, long number) {
    xids.add(new Xids.Event(uuid, number, now));
  }

  private static String total(long xid, long times) {
    return "lapwing_gpu_xid_errors_total{xid=\"" + xid + "\"} " + times;
  }

  @Test
  void everyXidThatCallsForActionStartsAtZero() {
    List<String> expected =
        Stream.concat(
                Stream.of("DCGM_FI_DEV_XID_ERRORS 0"),
                TABLE.callingForAction().stream().map(xid -> total(xid, 0)))
            .toList();
    assertThat(page("GPU-0")).isEqualTo(expected);
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
            "DCGM_EXP_XID_ERRORS_COUNT{" + WINDOW_LABEL + "xid=\"94\"} 2");
    assertThat(page("GPU-0")).contains("DCGM_FI_DEV_XID_ERRORS 0", total(94, 0)).hasSize(38);
  }

  @Test
  void manyAtOnceAreCountedAtOnce() {
    xids.add(new Xids.Event("GPU-1", 31, now, 500));
    assertThat(page("GPU-1"))
        .contains(total(31, 500), "DCGM_EXP_XID_ERRORS_COUNT{" + WINDOW_LABEL + "xid=\"31\"} 500");
  }

  @Test
  void aGpuThatNvmlDoesNotKnowIsCountedToo() {
    xids.add(new Xids.Event("0000:53:00", 79, now));
    assertThat(page("0000:53:00"))
        .containsExactly(
            total(79, 1), "lapwing_gpu_xid_last_seen_timestamp_seconds{xid=\"79\"} 1767225600");
  }

  @Test
  void anXidThatNobodyExpectsIsCountedFromItsFirst() {
    xid("GPU-0", 31);
    assertThat(page("GPU-0")).contains(total(31, 1), total(48, 0), "DCGM_FI_DEV_XID_ERRORS 31");
    assertThat(page("GPU-1")).noneMatch(line -> line.contains("xid=\"31\""));
  }

  @Test
  void theWindowForgetsWhatTheCounterKeeps() {
    xid("GPU-0", 79);
    now = NOW.plus(WINDOW).plusMillis(1);
    assertThat(page("GPU-0"))
        .contains("DCGM_FI_DEV_XID_ERRORS 79", total(79, 1))
        .noneMatch(line -> line.startsWith("DCGM_EXP"));
  }

  @Test
  void aGpuThatIsGoneKeepsItsCounts() {
    xid("GPU-1", 79);
    seen(1, "GPU-2");
    assertThat(page("GPU-1")).contains(total(79, 1));
    assertThat(page("GPU-2")).contains(total(79, 0));
  }

  @Test
  void aSelectionDropsForeignFamiliesAndNoneOfOurOwn() {
    xid("GPU-0", 79);
    GpuView none = new GpuView(FieldSelection.of(Map.of()), GpuLabelling.dcgm("n"));
    assertThat(round(source(none)).samples())
        .isNotEmpty()
        .noneMatch(sample -> sample.metric().foreign());
  }

  @Test
  void aSelectedFamilyHasTheTypeAndTheHelpOfItsLine() {
    Metric asked = Metric.counter("DCGM_FI_DEV_XID_ERRORS", "as asked");
    GpuView one =
        new GpuView(FieldSelection.of(Map.of(asked.name(), asked)), GpuLabelling.dcgm("n"));
    assertThat(round(source(one)).samples())
        .filteredOn(sample -> sample.metric().foreign())
        .allSatisfy(sample -> assertThat(sample.metric()).isSameAs(asked))
        .isNotEmpty();
  }

  @Test
  void seriesKeepTheirLabelsObject() {
    xid("GPU-0", 79);
    List<Labels> before =
        round(source).samples().stream().map(RecordedSink.Sample::labels).toList();
    List<Labels> after = round(source).samples().stream().map(RecordedSink.Sample::labels).toList();
    for (int i = 0; i < before.size(); i++) {
      assertThat(after.get(i)).isSameAs(before.get(i));
    }
  }
}
