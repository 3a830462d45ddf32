package io.lapwing.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  /** Any parameter may be a secret. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "GET http://a:1/m?k=swordfish failed    | GET http://a:1/m?[redacted] failed",
        "https://b.s3.amazonaws.com/o?X-Amz-Date=1&X-Amz-Signature=swordfish | https://b.s3.amazonaws.com/o?[redacted]",
        "http://a/?swordfish                    | http://a/?[redacted]",
        "http://a?c3dvcmRmaXNo==                | http://a?[redacted]",
        "{\"u\":\"http://a/?k=swordfish\",\"n\":1} | {\"u\":\"http://a/?[redacted]\",\"n\":1}",
        "{\"u\":\"of \\\"http://a/?k=swordfish\\\"\"} | {\"u\":\"of \\\"http://a/?[redacted]\\\"\"}",
        "up{address=\"http://a/?k=swordfish\"} 1 | up{address=\"http://a/?[redacted]\"} 1",
        "http://a?k=swordfish,http://b/m?k=hunter2,http://c | http://a?[redacted],http://b/m?[redacted],http://c",
        "http://a?next=http://b/x&k=swordfish   | http://a?[redacted]",
        "http://cache/http://ada:hunter2@b/x    | http://cache/http://[redacted]@b/x",
        "http://ada:hunter2@a/m?k=swordfish     | http://[redacted]@a/m?[redacted]",
        "http://swordfish@a/                    | http://[redacted]@a/",
        "http://ada:hunter2@b@a/                | http://[redacted]@a/",
        "http://ada:hunter2/3?4@a:1/m           | http://[redacted]@a:1/m",
        "https://a/cb#access_token=swordfish    | https://a/cb#[redacted]",
        "POST /hook?sig=swordfish HTTP/1.1      | POST /hook?[redacted] HTTP/1.1",
        "amqps://u:hunter2@[::1]:5671/v         | amqps://[redacted]@[::1]:5671/v",
      })
  void aUrlKeepsItsSchemeHostPortAndPath(String text, String redacted) {
    assertThat(Redaction.urls(text)).isEqualTo(redacted);
    assertThat(Redaction.of(text)).isEqualTo(redacted);
    assertThat(Redaction.urls(redacted)).isEqualTo(redacted);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8000/m?k=swordfish, 127.0.0.1:8000/m?[redacted]",
    "ada:hunter2@a:1/m, [redacted]@a:1/m",
    "a:1/m?swordfish, a:1/m?[redacted]",
    "'http://a:1/m,ada:hunter2@b/m', [redacted]",
    "'http://a:1/m?k=sword,fish', http://a:1/m?[redacted]",
    "auto, auto",
    "'http://a:1,http://[::1]:2/m', 'http://a:1,http://[::1]:2/m'",
  })
  void aValueMeantAsAUrlHasNoSecretEither(String value, String redacted) {
    assertThat(Redaction.url(value)).isEqualTo(redacted);
  }

  @Property
  void noSecretOfAUrlIsLeft(
      @ForAll @CharRange(from = '!', to = '~') @StringLength(max = 8) String before,
      @ForAll @CharRange(from = '!', to = '~') @StringLength(max = 8) String after) {
    String query = before.replaceAll("[\"'<>`\\\\#?,:@/]", "") + "swordfish";
    String url = "https://ada:swordfish" + before.replaceAll("[\"'<>`\\\\]", "") + "@a/?" + query;

    assertThat(Redaction.urls(after + " " + url + " " + after)).doesNotContain("swordfish");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://wiki.example.com/runbooks/xid.md#xid-79",
        "mount 10.0.0.1@tcp:10.0.0.2@tcp:/fsx on /fsx",
        "listening on http://[::1]:9754, http://127.0.0.1:9754/metrics and https://a:443/@home",
        "what is http://? and why? a=b",
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
    assertThat(Redaction.of("http://".repeat(200_000))).hasSize(1_400_000);
    assertThat(Redaction.of("http://a:b/?".repeat(100_000))).isEqualTo("http://a:b/?[redacted]");
    assertThat(Redaction.of("http://a:" + "\\".repeat(1_000_000))).hasSize(1_000_009);
  }
}
