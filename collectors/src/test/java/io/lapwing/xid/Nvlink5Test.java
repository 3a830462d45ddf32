package io.lapwing.xid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.table.CsvTable;
import io.lapwing.xid.KernelFact.Xid;
import io.lapwing.xid.Nvlink5Table.Layout;
import io.lapwing.xid.Nvlink5Table.Row;
import io.lapwing.xid.XidDetail.Nvlink5;
import io.lapwing.xid.XidDetail.Nvlink5Resolution;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Nvlink5Test {

  private static final String LINK_DOWN =
      "NVRM: Xid (PCI:0008:01:00): 149, NETIR_LINK_EVT Fatal XC0 i0 Link 08 (0x004505c6 0x00000000"
          + " 0x00000000 0x00000000 0x00000000 0x00000000)";

  private static Nvlink5 detail(KernelFacts facts, String line) {
    return (Nvlink5) ((Xid) facts.read(line).orElseThrow()).detail();
  }

  private static Nvlink5 detail(String driver, int xid, String unit, String values) {
    return detail(new KernelFacts(() -> Optional.of(driver)), line(xid, unit, values));
  }

  private static String line(int xid, String unit, String values) {
    return "NVRM: Xid (PCI:0008:01:00): %d, %s Nonfatal XC0 i0 Link 01 (%s)"
        .formatted(xid, unit, values);
  }

  @ParameterizedTest
  @CsvSource({
    // unit and status alone decide; the same number means another thing in another unit
    "144, SAW_MVB,       0x00000021, 0x00000002, RESET_GPU",
    "144, SAW_MVB,       0x00000021, 0x00000010, RESET_GPU",
    "144, SAW_MVB,       0x00000021, 0x00000001, IGNORE",
    "144, SAW_MVB,       0x00000021, 0x00000004, IGNORE",
    "144, SAW_MVB,       0x00000021, 0x00000008, IGNORE",
    "144, SAW_MVB,       0x00000021, 0x00000020, IGNORE",
    "145, RLW_REMAP,     0x00000082, 0x00000001, XID_154_OR_RESTART_APP",
    "145, RLW_REMAP,     0x00000082, 0x00000020, XID_154_OR_RESTART_APP",
    "145, RLW_REMAP,     0x00000082, 0x00000040, RESET_GPU",
    "145, RLW_REMAP,     0x00000082, 0x00000080, RESET_GPU",
    "145, RLW_SRC_TRACK, 0x040988e2, 0x00000008, XID_154_OR_RESTART_APP",
    "145, RLW_SRC_TRACK, 0x040988e2, 0x00000004, XID_154_OR_RESTART_APP",
    "145, RLW_SRC_TRACK, 0x040988e2, 0x00000001, RESET_GPU",
    "145, RLW_SRC_TRACK, 0x040988e2, 0x00000010, RESET_GPU",
    "145, RLW_SRC_TRACK, 0x040988e2, 0x00000020, RESET_GPU",
    "149, NETIR_BER_EVENT, 0x00082226, 0x00000001, CHECK_LINK",
    "149, NETIR_MFDE_EVENT, 0x00000246, 0x00000001, RESET_GPU",
    "149, NETIR_MFDE_EVENT, 0x00000246, 0x00000003, IGNORE",
    "149, NETIR_MFDE_EVENT, 0x00000246, 0x00000007, RESET_GPU",
    // a link that is down, by the reason in bits 25:20
    "149, NETIR_LINK_EVT, 0x004505c6, 0x00000000, RESET_GPU",
    "149, NETIR_LINK_EVT, 0x025525c6, 0x00000000, RESET_GPU",
    "149, NETIR_LINK_EVT, 0x026001c6, 0x00000000, IGNORE",
    "149, NETIR_LINK_EVT, 0x028001c6, 0x00000000, IGNORE",
    "149, NETIR_LINK_EVT, 0x03f001c6, 0x00000000, UNKNOWN",
    "150, MSE_WATCHDOG,  0x00000000, 0x00000000, RESET_GPU",
    "150, MSE Degraded,  0x00000000, 0xFFFFFFFF, RESET_GPU",
    // promoted by bit 10
    "145, RLW_RXPIPE,    0x000000c2, 0x00000001, IGNORE",
    "145, RLW_RXPIPE,    0x000004c2, 0x00000001, RESET_GPU",
    // what no row has: a status, a unit, a unit with another one's subcode, a unit of another XID
    "144, SAW_MVB,       0x00000021, 0x00000003, UNKNOWN",
    "144, SAW_EGR,       0x00000021, 0x00000001, UNKNOWN",
    "145, RLW_REMAP,     0x000000e2, 0x00000001, UNKNOWN",
    "144, RLW_REMAP,     0x00000082, 0x00000001, UNKNOWN"
  })
  void theTableResolvesErrorsBeforeR575(
      int xid, String unit, String intrInfo, String status, Nvlink5Resolution resolution) {
    assertThat(detail("570.133.20", xid, unit, intrInfo + " " + status).resolution())
        .isEqualTo(resolution);
  }

  @ParameterizedTest
  @CsvSource({
    "144, SAW_MVB,          0x00000001, 0x00000002,  1, RESET_GPU",
    "145, RLW_SRC_TRACK,    0x00000007, 0x00000004,  7, XID_154_OR_RESTART_APP",
    "145, RLW_RXPIPE,       0x00000006, 0x00000002,  6, IGNORE",
    "145, RLW_RXPIPE,       0x00000086, 0x00000002,  6, RESET_GPU",
    "146, TLW_RX/TLW_RX_PIPE0, 0x0000000a, 0x00000004, 10, RESET_GPU",
    "146, TLW_RX_PIPE1,     0x0000000b, 0x00000004, 11, RESET_GPU",
    "146, TLW_RX_PIPE1,     0x0000000a, 0x00000004, 10, UNKNOWN",
    "148, NVLPW,            0x0000000f, 0x80000000, 15, IGNORE",
    "149, NETIR_INT,        0x00000018, 0x00001234, 24, RESET_GPU",
    "149, NETIR_LINK_DOWN,  0x02500011, 0x00000000, 17, RESET_GPU",
    "149, NETIR_LINK_DOWN,  0x02800011, 0x00000000, 17, IGNORE",
    "149, NETIR_BER_EVENT,  0x00000013, 0x00000003, 19, CHECK_LINK",
    "149, NETIR_LINK_EVT,   0x004505c6, 0x00000000, 70, UNKNOWN"
  })
  void theTableResolvesErrorsSinceR575(
      int xid,
      String unit,
      String intrInfo,
      String status,
      int subcode,
      Nvlink5Resolution resolution) {
    Nvlink5 detail = detail("575.57.08", xid, unit, intrInfo + " " + status);
    assertThat(detail.resolution()).isEqualTo(resolution);
    assertThat(detail.subcode()).hasValue(subcode);
  }

  @Test
  void withoutADriversVersionTheLayoutThatMatchesCounts() {
    Nvlink5 detail = detail(new KernelFacts(Optional::empty), LINK_DOWN);
    assertThat(detail.resolution()).isEqualTo(Nvlink5Resolution.RESET_GPU);
    assertThat(detail.otherwise()).isEmpty();
    assertThat(detail.subcode()).hasValue(14);
    assertThat(detail.stateReason()).isEqualTo(4);
    assertThat(detail.link()).hasValue(8);
  }

  /** Every row, read without a version: its own resolution, or a graver one and its own. */
  @Test
  void withoutADriversVersionNoRowIsTakenForAMilderOne() {
    KernelFacts unknown = new KernelFacts(Optional::empty);
    for (Row row : Nvlink5Table.load()) {
      for (Layout layout : Layout.values()) {
        long intrInfo = row.pattern(layout).value();
        long status = status(row);
        Nvlink5 detail =
            detail(
                unknown,
                line(row.xid(), row.units().get(0), "0x%08x 0x%08x".formatted(intrInfo, status)));
        Nvlink5Resolution known =
            Nvlink5Table.resolution(row.xid(), row.units().get(0), layout, intrInfo, status);
        assertThat(detail.resolution()).as(row.source()).isGreaterThanOrEqualTo(known);
        assertThat(
                detail.resolution().equals(known) || detail.otherwise().equals(Optional.of(known)))
            .as(row.source())
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RESET_GPU, IGNORE, RESET_GPU, IGNORE, ''",
    "IGNORE, RESET_GPU, RESET_GPU, IGNORE, ''",
    "CHECK_LINK, XID_154_OR_RESTART_APP, CHECK_LINK, XID_154_OR_RESTART_APP, ''",
    "IGNORE, IGNORE, IGNORE, '', ''",
    "UNKNOWN, UNKNOWN, UNKNOWN, '', ''",
    "IGNORE, UNKNOWN, IGNORE, '', BEFORE_R575",
    "UNKNOWN, RESET_GPU, RESET_GPU, '', SINCE_R575"
  })
  void ofTwoLayoutsTheOneThatMatchesCountsOrElseTheGraverResolution(
      Nvlink5Resolution before,
      Nvlink5Resolution since,
      Nvlink5Resolution resolution,
      String otherwise,
      String layout) {
    Nvlink5Table.Resolved resolved =
        Nvlink5Table.Resolved.of(
            Optional.empty(), one -> one == Layout.BEFORE_R575 ? before : since);
    assertThat(resolved.resolution()).isEqualTo(resolution);
    assertThat(resolved.otherwise().map(Enum::name).orElse("")).isEqualTo(otherwise);
    assertThat(resolved.layout().map(Enum::name).orElse("")).isEqualTo(layout);
  }

  @Test
  void anErrorWithoutRegistersKeepsItsWordFatal() {
    assertThat(
            new KernelFacts(Optional::empty)
                .read("NVRM: Xid (PCI:0018:01:00): 149, NETIR_LINK_EVT Fatal XC0 i0 Link 08"))
        .get()
        .satisfies(
            fact ->
                assertThat(((Xid) fact).detail())
                    .isEqualTo(new XidDetail.Nvlink5Unreadable("NETIR_LINK_EVT", true)));
  }

  @Test
  void theDriverOfTheLogCountsWithoutNvml() {
    KernelFacts facts = new KernelFacts(Optional::empty);
    facts.read("NVRM: loading NVIDIA UNIX x86_64 Kernel Module  570.133.20  Tue");
    assertThat(detail(facts, LINK_DOWN).resolution()).isEqualTo(Nvlink5Resolution.RESET_GPU);
    facts.read("NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue");
    assertThat(detail(facts, LINK_DOWN).resolution()).isEqualTo(Nvlink5Resolution.UNKNOWN);
  }

  @Test
  void theVersionFromNvmlHasPriorityOverTheLog() {
    KernelFacts facts = new KernelFacts(() -> Optional.of("570.133.20"));
    facts.read("NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue");
    assertThat(detail(facts, LINK_DOWN).subcode()).hasValue(14);
  }

  @ParameterizedTest
  @CsvSource({
    "570.133.20, BEFORE_R575",
    "574.99, BEFORE_R575",
    "575.51.02, SINCE_R575",
    "575, SINCE_R575",
    "1000.1, SINCE_R575"
  })
  void theLayoutOfIntrInfoComesFromTheDriversBranch(String version, Layout layout) {
    assertThat(Layout.of(version)).contains(layout);
  }

  @ParameterizedTest
  @CsvSource({"''", "R575", "x.1", "57500000.1", "575x"})
  void anInvalidVersionHasNoLayout(String version) {
    assertThat(Layout.of(version)).isEmpty();
  }

  @Test
  void theTableHasEveryRowOfTheCatalogueAndItsPromotedForms() {
    List<Row> rows = Nvlink5Table.load();
    assertThat(rows).filteredOn(row -> row.source().matches("decode:\\d+")).hasSize(95);
    assertThat(rows).filteredOn(row -> row.source().matches("decode:\\d+ action 2")).hasSize(3);
    assertThat(rows).hasSize(98).extracting(Row::source).doesNotHaveDuplicates();
    assertThat(rows).allMatch(row -> row.xid() >= 144 && row.xid() <= 150);
    assertThat(rows).noneMatch(row -> row.resolution() == Nvlink5Resolution.UNKNOWN);
  }

  @Test
  void rowsThatMatchTheSameErrorAgree() {
    List<Row> rows = Nvlink5Table.load();
    for (Row one : rows) {
      for (Row other : rows) {
        for (Layout layout : Layout.values()) {
          long example = one.pattern(layout).value();
          boolean both =
              one.xid() == other.xid()
                  && one.units().stream()
                      .anyMatch(unit -> other.matches(unit, layout, example, status(one)));
          assertThat(!both || one.resolution() == other.resolution())
              .as("%s and %s, %s", one, other, layout)
              .isTrue();
        }
      }
    }
  }

  private static long status(Row row) {
    return row.errorStatus().isEmpty() ? 0 : row.errorStatus().get(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "144,A,01,01,any,IGNORE,x|not 32 of 0, 1 and -: 01",
        "x,A,01,01,any,IGNORE,x|xid: 'x' is not a whole number"
      })
  void aMalformedRowIsNamedByItsLine(String row, String problem) {
    List<String> columns =
        List.of(
            "xid",
            "unit",
            "intr_info_before_r575",
            "intr_info_since_r575",
            "error_status",
            "resolution",
            "source");
    CsvTable.Row malformed =
        new CsvTable.Row("nvlink5.csv:3", columns, List.of(row.split(",", -1)));
    assertThatThrownBy(() -> Row.of(malformed)).hasMessage("nvlink5.csv:3: " + problem);
  }
}
