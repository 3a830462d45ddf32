package io.lapwing.common.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownHostsTest {

  private static final KnownHosts HOSTS =
      KnownHosts.of(List.of("gpu7.example.com", "*.ml.example.com"), "node7.site.example");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "127.0.0.1",
        "10.1.2.3",
        "[2001:db8::1]",
        "::1",
        "node7",
        "NODE7.site.example",
        "node7.site.example.",
        "ip-10-0-0-1.eu-west-1.compute.internal",
        "lapwing.monitoring.svc.cluster.local",
        "gpu7.example.com",
        "a.ml.example.com",
      })
  void namesOfTheSiteAreKnown(String host) {
    assertThat(HOSTS.isKnown(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "attacker.example",
        "node7.attacker.example",
        "10.1.2.3.attacker.example",
        "ml.example.com",
        "xml.example.com",
        "gpu7.example.com.attacker.example",
        "localhost.attacker.example",
      })
  void othersAreNot(String host) {
    assertThat(HOSTS.isKnown(host)).isFalse();
  }
}
