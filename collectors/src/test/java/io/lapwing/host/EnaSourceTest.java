package io.lapwing.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.SysFs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnaSourceTest {

  @TempDir private Path sys;

  private void device(String name, String driver) throws Exception {
    Path link = sys.resolve("class/net").resolve(name).resolve("device/driver");
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, Path.of("../../../../bus/pci/drivers", driver));
  }

  private List<String> page(Reading<Map<String, Long>> statistics) {
    EnaSource source = new EnaSource(new SysFs(sys), device -> statistics);
    assertThat(source.begin(List.of())).isEqualTo(Access.READY);
    RecordedSink sink = new RecordedSink();
    source.collectors().forEach(collector -> collector.collect(sink));
    return sink.lines();
  }

  @Test
  void aMachineWithoutAnEnaDeviceHasNothing() throws Exception {
    device("eth0", "virtio_net");
    Files.createDirectories(sys.resolve("class/net/lo"));
    EnaSource source = new EnaSource(new SysFs(sys), device -> Reading.of(Map.of()));

    assertThat(source.begin(List.of())).isInstanceOf(Access.NothingHere.class);
  }

  @Test
  void eachAllowanceIsASample() throws Exception {
    device("eth0", "ena");

    assertThat(
            page(
                Reading.of(
                    Map.of(
                        "bw_in_allowance_exceeded", 1204L,
                        "conntrack_allowance_available", 136_812L,
                        "queue_0_tx_cnt", 5L))))
        .containsExactlyInAnyOrder(
            "lapwing_ena_allowance_exceeded_packets_total{device=\"eth0\",allowance=\"bw_in\"} 1204",
            "lapwing_ena_conntrack_allowance_available{device=\"eth0\"} 136812");
  }

  @Test
  void aDriverThatIsTooOldHasNone() throws Exception {
    device("eth0", "ena");

    assertThat(page(Reading.of(Map.of("tx_timeout", 0L)))).isEmpty();
  }

  @Test
  void aSimulatedNodesStatisticsAreInAFile() throws Exception {
    device("eth0", "ena");
    Files.writeString(
        sys.resolve("class/net/eth0/ethtool_statistics"),
        "NIC statistics:\n     pps_allowance_exceeded: 17\n     broken: -\n");

    assertThat(EnaSource.statistics(new SysFs(sys)).of("eth0").toOptional())
        .contains(Map.of("pps_allowance_exceeded", 17L));
  }

  @Test
  void theTrafficIsThatOfTheDevice() throws Exception {
    device("eth0", "ena");
    Path statistics = sys.resolve("class/net/eth0/statistics");
    Files.createDirectories(statistics);
    Files.writeString(statistics.resolve("rx_bytes"), "9100000000000\n");
    Files.writeString(statistics.resolve("tx_bytes"), "740000000000\n");

    assertThat(page(Reading.of(Map.of())))
        .containsExactly(
            "lapwing_ena_receive_bytes_total{device=\"eth0\"} 9100000000000",
            "lapwing_ena_transmit_bytes_total{device=\"eth0\"} 740000000000");
  }
}
