package io.lapwing.ethtool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.collect.Reading;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The ioctl of the real kernel, on the network devices of this machine. */
class EthtoolTest {

  private final Ethtool ethtool = new Ethtool();

  @Test
  void loopbackHasNoStatistics() {
    assertThat(ethtool.statistics("lo")).isInstanceOf(Reading.Unsupported.class);
  }

  @Test
  void anUnknownOrImpossibleDeviceFails() {
    assertThat(ethtool.statistics("none0").failure()).contains("no_such_device");
    assertThat(ethtool.statistics("").failure()).contains("no_such_device");
    assertThat(ethtool.statistics("a-name-of-more-than-15-bytes").failure())
        .contains("no_such_device");
  }

  @Test
  void aDriversStatisticsHaveNamesAndValues() throws Exception {
    List<Map<String, Long>> found =
        NetworkInterface.networkInterfaces()
            .map(device -> ethtool.statistics(device.getName()).toOptional())
            .flatMap(Optional::stream)
            .toList();
    assumeTrue(!found.isEmpty(), "no network device of this machine has statistics");

    assertThat(found)
        .allSatisfy(
            statistics -> {
              assertThat(statistics).isNotEmpty();
              assertThat(statistics.keySet()).allMatch(name -> name.matches("[ -~]{1,32}"));
            });
  }
}
