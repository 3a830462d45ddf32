package io.lapwing.agent.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

  /** Made up, in pieces: tools that look for leaked secrets would report them. */
  private static final String JWT =
      "eyJ" + "hbGciOiJIUzI1NiJ9." + "eyJ" + "zdWIiOiIxMjM0In0.c2lnbmF0dXJl";

  static Map<String, String> secrets() {
    return Map.ofEntries(
        Map.entry("see https://ada:hunter2@node7:9754/metrics", "https://[redacted]@node7:9754/"),
        Map.entry("{\"password\": \"swordfish\"}", "{\"password\": \"[redacted]\"}"),
        Map.entry(
            "AWS_SECRET_ACCESS_KEY... db_password=swordfish;x=1", "db_password=[redacted];x=1"),
        Map.entry("authorization: Bearer abcdefgh.1234", "Bearer [redacted]"),
        Map.entry("key AKIA" + "ABCDEFGHIJKLMNOP in use", "key [redacted] in use"),
        Map.entry("login " + JWT + " failed", "login [redacted] failed"),
        Map.entry("gh" + "p_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]"),
        Map.entry("train.py --hf-token swordfish --lr 3", "--hf-token [redacted] --lr 3"),
        Map.entry(
            "https://hooks.slack.com/services/T0/B0/swordfish", "slack.com/services/[redacted]"),
        Map.entry(
            "-----BEGIN RSA PRIVATE KEY-----\nswordfish\n-----END RSA PRIVATE KEY-----",
            "[redacted]"));
  }

  static java.util.Set<Map.Entry<String, String>> cases() {
    return secrets().entrySet();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aSecretIsRemovedAndTheRestIsKept(Map.Entry<String, String> text) {
    assertThat(Redaction.of(text.getKey()))
        .contains(text.getValue())
        .doesNotContain("swordfish", "hunter2", "abcdefgh.1234");
    assertThat(Redaction.of(Redaction.of(text.getKey()))).isEqualTo(Redaction.of(text.getKey()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NVRM: Xid (PCI:0000:53:00): 79, pid=4711, name=python3, GPU has fallen off the bus.",
        "lapwing_gpu_energy_joules_total{UUID=\"GPU-5fbf6bc2-0a2e-4c41-9f0d-a1f1b1f6a001\"} 12",
        "mail ada@example.org about tokens per second: 1200",
        "web.config.file = /etc/lapwing/web.yml  (flag --web.config.file)"
      })
  void whatIsNoSecretIsUnchanged(String text) {
    assertThat(Redaction.of(text)).isEqualTo(text);
  }

  @Test
  void aLongLineWithoutEndTakesLinearTime() {
    String line = "token ".repeat(200_000) + "https://" + "a".repeat(200_000);
    assertThat(Redaction.of(line)).isEqualTo(line);
  }
}
