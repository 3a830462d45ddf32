package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.lapwing.common.config.ConfigException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each mistake, and the one line that reports it. */
class ProblemLinesTest {
  private static final List<CollectorSwitch> COLLECTORS =
      List.of(new CollectorSwitch("gpu-ecc", true, "ECC error counts."));

  private final Path folder;

  ProblemLinesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--cadence.fast=5x | flag --cadence.fast: '5x' is not a duration such as 500ms, 5s or 1m",
        "--cadence.fast=0s | flag --cadence.fast: '0s' is zero; use a duration such as 500ms, 5s or 1m",
        "--cadence.fast=199ms | flag --cadence.fast: 199ms is shorter than 200ms",
        "--cadence.fast=11s | flag --cadence.fast: 11s is longer than cadence.medium, 10s",
        "--cadence.slow=9s | flag --cadence.slow: 9s is shorter than cadence.medium, 10s",
        "--web.max-requests=-1 | flag --web.max-requests: '-1' is not a whole number of 0 or more",
        "--web.max-requests=many | flag --web.max-requests: 'many' is not a whole number of 0 or more",
        "--web.max-requests=1 --web.max-requests=2 | flag --web.max-requests: given more than once",
        "--web.max-requests | flag --web.max-requests: needs a value",
        "--web.listen-address=unix:/run/x | flag --web.listen-address: 'unix:/run/x' needs an address of TCP as well, such as 127.0.0.1:9754",
        "--web.listen-address=unix:x | flag --web.listen-address: 'unix:x' is not an address such as :9754, 127.0.0.1:9754, [::1]:9754 or unix:/PATH",
        "--web.listen-address=9754 | flag --web.listen-address: '9754' is not an address such as :9754, 127.0.0.1:9754, [::1]:9754 or unix:/PATH",
        "--web.listen-address=::1:9754 | flag --web.listen-address: '::1:9754' is not an address such as :9754, 127.0.0.1:9754, [::1]:9754 or unix:/PATH",
        "--web.listen-address=:65536 | flag --web.listen-address: ':65536' is not an address such as :9754, 127.0.0.1:9754, [::1]:9754 or unix:/PATH",
        "--web.telemetry-path=metrics | flag --web.telemetry-path: 'metrics' is not a URL path such as /metrics",
        "--web.telemetry-path=/{x} | flag --web.telemetry-path: '/{x}' is not a URL path such as /metrics",
        "--web.telemetry-path=/-/ready | flag --web.telemetry-path: '/-/ready' is reserved: /-/, /api/ and /ui have their own endpoints",
        "--web.telemetry-path=/ui | flag --web.telemetry-path: '/ui' is reserved: /-/, /api/ and /ui have their own endpoints",
        "--web.telemetry-path=/a/../m | flag --web.telemetry-path: '/a/../m' has a segment of dots, which clients resolve",
        "--gpu.hostname-label=HOSTNAME | flag --gpu.hostname-label: 'HOSTNAME' is not one of Hostname, hostname, none",
        "--gpu.names=4.8 | flag --gpu.names: '4.8' is not one of classic, classic-hostname, 4.9, or two of them",
        "--gpu.names=4.9,4.9 | flag --gpu.names: '4.9,4.9' names 4.9 twice",
        "--gpu.names=classic,4.9,classic-hostname | flag --gpu.names: 'classic,4.9,classic-hostname' has three; a migration has two",
        "--gpu.fields=/no/such.csv | flag --gpu.fields: '/no/such.csv' does not exist",
        "--gpu.fields=/etc | flag --gpu.fields: '/etc' is a directory, not a file",
        "--health.profile=azure | flag --health.profile: 'azure' is not one of aws, nvidia, balanced",
        "--health.policy=/no/such.yml | flag --health.policy: '/no/such.yml' does not exist",
        "--health.expected-gpus=-1 | flag --health.expected-gpus: '-1' is neither auto nor a whole number of 0 or more",
        "--health.expected-gpus=all | flag --health.expected-gpus: 'all' is neither auto nor a whole number of 0 or more",
        "--health.expected-efa-devices=all | flag --health.expected-efa-devices: 'all' is neither auto nor a whole number of 0 or more",
        "--imds.url=169.254.169.254 | flag --imds.url: '169.254.169.254' is neither off nor a URL such as http://169.254.169.254",
        "--imds.url=https://[fd00:ec2::254] | flag --imds.url: 'https://[fd00:ec2::254]' is neither off nor a URL such as http://169.254.169.254",
        "--imds.url=http://[fd00:ec2::254]/latest | flag --imds.url: 'http://[fd00:ec2::254]/latest' is neither off nor a URL such as http://169.254.169.254",
        "--imds.url=http://user@169.254.169.254 | flag --imds.url: 'http://[redacted]@169.254.169.254' is neither off nor a URL such as http://169.254.169.254",
        "--path.kmsg=/etc | flag --path.kmsg: '/etc' is a directory, not a file",
        "--path.sysfs=/etc/passwd | flag --path.sysfs: '/etc/passwd' is not a directory",
        "--path.sysfs= | flag --path.sysfs: '' is not a path",
        "--config.file=/etc | flag --config.file: '/etc' is a directory, not a file",
        "--config.file=/no/such.yml | flag --config.file: '/no/such.yml' does not exist",
        "--log.format=xml | flag --log.format: 'xml' is not one of logfmt, json",
        "--log.levle=debug | flag --log.levle: unknown; did you mean --log.level?",
        "--collector.gpu-eccc | flag --collector.gpu-eccc: unknown; did you mean --collector.gpu-ecc?",
        "--completely-different | flag --completely-different: unknown",
        "--collector.gpu-ecc --no-collector.gpu-ecc | flag --collector.gpu-ecc: given together with --no-collector.gpu-ecc",
        "--collector.gpu-ecc --collector.gpu-ecc | flag --collector.gpu-ecc: given more than once",
        "--no-once --no-once | flag --no-once: given more than once",
        "--no-once=false | flag --no-once: takes no value",
        "metrics | command line: 'metrics' is not a flag",
        "--once true | command line: 'true' is not a flag",
        "-x | flag -x: unknown",
        "-- | flag --: unknown",
      })
  void onTheCommandLine(String args, String line) {
    assertThat(problems(List.of(args.split(" ")), Map.of())).containsExactly(line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "web.max-request: 1 | :1: web.max-request: unknown key; did you mean web.max-requests?",
        "web: {max-requests: many} | :1: web.max-requests: 'many' is not a whole number of 0 or more",
        "web: {max-requests: } | :1: web.max-requests: has no value",
        "web: {max-requests: [1]} | :1: web.max-requests: needs one value",
        "web: {max-requests: {a: 1}} | :1: web.max-requests: needs one value",
        "web: 3 | :1: web: is a section, not an option",
        "web: {max-requests: 1};web.max-requests: 2 | :2: web.max-requests: set twice",
        "a: &x 1 | :1: a: unknown key",
        "config.file: x.yml | :1: config.file: unknown key",
        "- web | :1: is not a mapping of keys to values",
        "web.listen-address: [{a: 1}] | :1: web.listen-address: needs a list of values",
        "web: {max-requests: 1};web: {telemetry-path: /x} | :2: web: set twice",
        "log.level: info;---;log.level: debug | :3: a second document starts here; only one is read",
        "log.level: *x | :1: log.level: aliases are not supported; write the value out",
      })
  void inTheFile(String yaml, String line) throws Exception {
    Path file = file(yaml.replace(';', '\n').getBytes(StandardCharsets.UTF_8));

    assertThat(problems(List.of("--config.file=" + file), Map.of())).containsExactly(file + line);
  }

  @Test
  void aFileThatIsNotYamlIsNamedWithItsLine() throws Exception {
    Path file = file("web:\n  max-requests: [1\nlog: x\n".getBytes(StandardCharsets.UTF_8));

    assertThat(problems(List.of("--config.file=" + file), Map.of()))
        .singleElement()
        .asString()
        .startsWith(file + ":3: is not YAML: ");
  }

  @Test
  void aFileThatIsNotTextIsNamed() throws Exception {
    Path file = file(new byte[] {'a', ':', ' ', (byte) 0xff, (byte) 0xfe});

    assertThat(problems(List.of("--config.file=" + file), Map.of()))
        .containsExactly(file + ": is not UTF-8 text");
  }

  @Test
  void aFileThatMayNotBeReadIsNamed() throws Exception {
    assumeFalse("root".equals(System.getProperty("user.name")), "root may read every file");
    Path file = file(new byte[0]);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));

    assertThat(problems(List.of("--config.file=" + file), Map.of()))
        .containsExactly("flag --config.file: '" + file + "' cannot be read: permission denied");
  }

  @Test
  void aWrongVariableIsNamed() {
    assertThat(problems(List.of(), Map.of("LAPWING_LABELS", "few")))
        .containsExactly("environment LAPWING_LABELS: 'few' is not one of full, lean");
  }

  @Test
  void aWrongValueIsReportedEvenIfAnotherOverridesIt() {
    assertThat(problems(List.of("--labels=lean"), Map.of("LAPWING_LABELS", "few")))
        .containsExactly("environment LAPWING_LABELS: 'few' is not one of full, lean");
  }

  private Path file(byte[] content) throws Exception {
    return Files.write(folder.resolve("lapwing.yml"), content);
  }

  private static List<String> problems(List<String> args, Map<String, String> variables) {
    return catchThrowableOfType(
            ConfigException.class, () -> SettingsReader.read(args, variables, COLLECTORS))
        .problems();
  }
}
