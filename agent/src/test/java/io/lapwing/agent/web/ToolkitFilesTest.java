package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.WebConfig;
import io.lapwing.common.web.WebSecurity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The valid and invalid web configuration files of exporter-toolkit. */
class ToolkitFilesTest {
  private static final Path FILES = Path.of("src", "test", "resources", "exporter-toolkit");

  @TempDir static Path directory;

  @BeforeAll
  static void copyAndMakeCertificates() throws Exception {
    try (Stream<Path> files = Files.list(FILES)) {
      for (Path file : files.toList()) {
        Files.copy(file, directory.resolve(file.getFileName()));
      }
    }
    Openssl.selfSigned(directory, "server", "rsa:2048", "DNS:localhost,IP:127.0.0.1");
    Openssl.selfSigned(directory, "client", "ec", "DNS:test3");
    Files.copy(directory.resolve("client.crt"), directory.resolve("client_selfsigned.pem"));
    Files.copy(directory.resolve("client.crt"), directory.resolve("client2_selfsigned.pem"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tls_config_noAuth.requireandverifyclientcert.good.yml",
        "tls_config_noAuth.requireanyclientcert.good.yml",
        "web_config_auth_clientCAs_missing.bad.yml",
        "web_config_auth_client_san.bad.yaml",
        "web_config_auth_client_san.good.yaml",
        "web_config_empty.yml",
        "web_config_headers.good.yml",
        "web_config_noAuth.good.blocking.yml",
        "web_config_noAuth.good.yml",
        "web_config_noAuth_allCiphers.good.yml",
        "web_config_noAuth_noHTTP2.good.yml",
        "web_config_noAuth_someCiphers.good.yml",
        "web_config_noAuth_someCiphers_noOrder.good.yml",
        "web_config_rate_limiter_nonblocking.yaml",
        "web_config_rate_limiter_one_second.yaml",
        "web_config_users.good.yml",
        "web_config_users_noTLS.good.yml",
      })
  void aValidFileIsAccepted(String file) throws Exception {
    WebSecurity.open(directory.resolve(file)).close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "web_config_auth_clientCAs_invalid.bad.yml | :4: tls_server_config.client_ca_file: given"
            + " without",
        "web_config_auth_user_list_invalid.bad.yml | :5: basic_auth_users.john: is not a bcrypt"
            + " hash",
        "web_config_headers_content_type_options.bad.yml | :3:"
            + " http_server_config.headers.X-Content-Type-Options: 'sniff' is not one of nosniff",
        "web_config_headers_extra_header.bad.yml | :3: http_server_config.headers.Content-Type:"
            + " this header cannot be set",
        "web_config_headers_frame_options.bad.yml | :3: http_server_config.headers.X-Frame-Options:"
            + " 'foo' is not one of deny, sameorigin",
        "web_config_junk.yml | :1: is not a mapping of keys to values",
        "web_config_junk_key.yml | :2: tls_server_config.cert_filse: unknown key; did you mean"
            + " cert_file?",
        "web_config_noAuth.bad.yml | :4: tls_server_config.client_ca_file: given without a"
            + " client_auth_type",
        "web_config_noAuth_certPath_empty.bad.yml | :2: tls_server_config.cert_file: one of cert"
            + " and cert_file is needed",
        "web_config_noAuth_certPath_invalid.bad.yml | :2: tls_server_config.cert_file: DIR/somefile"
            + " does not exist",
        "web_config_noAuth_certPath_keyPath_empty.bad.yml | :4: tls_server_config.client_auth_type:"
            + " 'x' is not one of",
        "web_config_noAuth_certPath_keyPath_invalid.bad.yml | :3: tls_server_config.key_file:"
            + " DIR/somefile does not exist",
        "web_config_noAuth_cert_empty.bad.yml | :2: tls_server_config.cert: one of cert and"
            + " cert_file is needed",
        "web_config_noAuth_inventedCiphers.bad.yml | :5: tls_server_config.cipher_suites:"
            + " 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA2048' is not one of",
        "web_config_noAuth_inventedCurves.bad.yml | :5: tls_server_config.curve_preferences:"
            + " 'CurveP257' is not one of CurveP256, CurveP384, CurveP521, X25519",
        "web_config_noAuth_keyPath_empty.bad.yml | :3: tls_server_config.key_file: one of key and"
            + " key_file is needed",
        "web_config_noAuth_keyPath_invalid.bad.yml | :3: tls_server_config.key_file: DIR/somefile"
            + " does not exist",
        "web_config_noAuth_key_empty.bad.yml | :3: tls_server_config.key: one of key and key_file"
            + " is needed",
        "web_config_noAuth_noHTTP2Cipher.bad.yml | :5: tls_server_config.cipher_suites: HTTP/2"
            + " needs",
        "web_config_noAuth_wrongTLSVersion.bad.yml | :5: tls_server_config.min_version: 'TLS111' is"
            + " not one of",
      })
  void anInvalidFileIsRefusedWithTheLocation(String file, String problem) {
    Path path = directory.resolve(file);

    assertThatThrownBy(() -> WebSecurity.open(path))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(path + problem.replace("DIR", directory.toString()));
  }

  /** Before Java 20 curves apply to the whole process: see SecureProcessTest. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "web_config_noAuth_allCurves.good.yml",
        "web_config_noAuth_someCurves.good.yml",
      })
  void aValidFileWithCurvesIsRead(String file) throws Exception {
    assertThat(WebConfig.read(directory.resolve(file)).tls().orElseThrow().curves()).isNotEmpty();
  }

  @Test
  void allFilesAreCovered() throws IOException {
    String test =
        Files.readString(Path.of("src/test/java/io/lapwing/agent/web/ToolkitFilesTest.java"));
    try (Stream<Path> files = Files.list(FILES)) {
      List<String> names = files.map(file -> file.getFileName().toString()).toList();
      assertThat(new TreeSet<>(names))
          .hasSizeGreaterThan(30)
          .filteredOn(name -> !name.endsWith(".md"))
          .allSatisfy(name -> assertThat(test).contains(name));
    }
  }

  @Test
  void allProblemsAreReportedWithoutSecrets() throws Exception {
    Path file = directory.resolve("several.yml");
    Files.writeString(
        file,
        """
        tls_server_config:
          cert_file: server.crt
          key: hush-this-is-secret
          min_version: TLS13
          max_version: TLS12
        basic_auth_users:
          alice: hush-as-well
        rate_limit: {interval: soon, burst: -1}
        """);

    assertThatThrownBy(() -> WebSecurity.open(file))
        .hasMessageContaining(
            ":4: tls_server_config.min_version: TLS13 is newer than max_version, TLS12")
        .hasMessageContaining(":7: basic_auth_users.alice: ")
        .hasMessageContaining("rate_limit.interval: is not a duration")
        .hasMessageContaining("rate_limit.burst: '-1' is not")
        .message()
        .doesNotContain("hush");
  }

  @Test
  void aKeyOfAnotherCertificateIsRefused() throws Exception {
    Path file = directory.resolve("mismatch.yml");
    Files.writeString(file, "tls_server_config: {cert_file: server.crt, key_file: client.key}\n");

    assertThatThrownBy(() -> WebSecurity.open(file))
        .hasMessage(file + ":1: tls_server_config.key_file: does not match the certificate");
  }
}
