package io.lapwing.efa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EfaWordsTest {

  @Test
  void theMacAddressIsParsedFromTheFirstGid() {
    assertThat(EfaFacts.EniMac.ofGid("fe80:0000:0000:0000:0abc:deff:fe12:3456"))
        .contains("08:bc:de:12:34:56");
    assertThat(EfaFacts.EniMac.ofGid("FE80:0000:0000:0000:02FF:FFFF:FEFF:FFFF"))
        .contains("00:ff:ff:ff:ff:ff");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0000:0000:0000:0000:0000:0000:0000:0000",
        "fe80:0000:0000:0000:0abc:de00:0012:3456",
        "2001:0db8:0000:0000:0abc:deff:fe12:3456",
        "0000:0000:0000:0000:0000:ffff:0a00:0001",
        "fe80::abc:deff:fe12:3456",
        "example.org"
      })
  void anotherGidIsEmpty(String gid) {
    assertThat(EfaFacts.EniMac.ofGid(gid)).isEmpty();
  }

  @Property
  void anyTextIsAMacAddressOrEmpty(@ForAll String text) {
    Optional<String> mac = EfaFacts.EniMac.ofGid(text);
    assertThat(mac.orElse("00:00:00:00:00:00")).matches("[0-9a-f]{2}(:[0-9a-f]{2}){5}");
  }

  @ParameterizedTest
  @CsvSource({
    "100 Gb/sec (4X EDR), 12.5e9",
    "200 Gb/sec (4X HDR), 25e9",
    "400 Gb/sec (8X HDR), 50e9",
    "2.5 Gb/sec (1X SDR), 312.5e6",
    "40 Gb/sec, 5e9"
  })
  void theRateIsInBytesPerSecond(String text, double bytes) {
    assertThat(EfaDeviceSource.PortRate.parse(text)).hasValue(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "fast", "-1 Gb/sec", "100", "100 Mb/sec", "1e9 Gb/sec", "100 Gb/second"})
  void anotherRateIsEmpty(String text) {
    assertThat(EfaDeviceSource.PortRate.parse(text)).isEmpty();
  }

  @Property
  void anyTextIsARateOrEmpty(@ForAll String text) {
    assertThat(EfaDeviceSource.PortRate.parse(text).orElse(0)).isBetween(0.0, 1.25e14);
  }
}
