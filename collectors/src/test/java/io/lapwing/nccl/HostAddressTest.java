package io.lapwing.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostAddressTest {

  @Test
  void addressesAreFormattedAsByTheJdk() {
    assertThat(LocalProcesses.HostAddress.parse("172.16.64.245")).contains("172.16.64.245");
    assertThat(LocalProcesses.HostAddress.parse("fe80::1%eth0")).contains("fe80:0:0:0:0:0:0:1");
    assertThat(LocalProcesses.HostAddress.parse("2001:DB8::a")).contains("2001:db8:0:0:0:0:0:a");
    assertThat(LocalProcesses.HostAddress.parse("::ffff:10.0.0.1")).contains("10.0.0.1");
    assertThat(LocalProcesses.HostAddress.text(RasNode.address(10, 0, 0, 7))).isEqualTo("10.0.0.7");
  }

  @Test
  void otherTextNeverCausesADnsQuery() {
    List<String> none =
        List.of(
            "unknown",
            "",
            "node-7.example",
            "1.2.3",
            "1.2.3.4.5",
            ":",
            "::::",
            "dead:beef",
            "a".repeat(1000),
            "1:2\n:3",
            "%eth0",
            "zz::1",
            "example.com:80");

    assertThat(none)
        .allSatisfy(text -> assertThat(LocalProcesses.HostAddress.parse(text)).isEmpty());
  }
}
