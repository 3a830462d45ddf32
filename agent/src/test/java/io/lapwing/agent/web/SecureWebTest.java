package io.lapwing.agent.web;

import static io.lapwing.agent.web.TestClient.basic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.common.web.WebServer;
import io.lapwing.http.HttpClient;
import io.lapwing.http.HttpRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The web server with a web configuration file and real clients. */
class SecureWebTest {
  private static final String TLS =
      "tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n";

  private static final String TWO_AN_HOUR = "rate_limit: {interval: 1h, burst: 2}\n";

  @TempDir static Path made;

  @TempDir Path directory;
  private final SecureServers servers = new SecureServers();
  private int files;
  private TestClient client = new TestClient(Path.of("."));

  @BeforeAll
  static void makeCertificates() throws Exception {
    Openssl.selfSigned(made, "server", "rsa:2048", "DNS:localhost,IP:127.0.0.1");
    Openssl.selfSigned(made, "next", "ec", "DNS:localhost,IP:127.0.0.1");
    Openssl.selfSigned(made, "scraper", "ec", "DNS:prometheus.example,IP:fd00::1");
    Openssl.selfSigned(made, "stranger", "ec", "DNS:prometheus.example");
  }

  @BeforeEach
  void copyCertificates() throws IOException {
    for (String name : List.of("server", "next", "scraper", "stranger")) {
      copy(name, name, ".crt");
      copy(name, name, ".key");
    }
    client = new TestClient(directory);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  @Test
  void pagesAreServedByHttpsOnly() throws Exception {
    WebServer server = start(TLS);

    HttpResponse<String> page = client.get(server, "/metrics");

    assertThat(server.urls().get(0)).startsWith("https://127.0.0.1:");
    assertThat(page.body()).isEqualTo("ecc_up 1\nxid_up 1\n");
    assertThat(inTheClear(server)).doesNotContain("ecc_up");
    String plain = server.urls().get(0).replace("https://", "http://");
    assertThatThrownBy(
            () ->
                HttpClient.of(Duration.ofSeconds(60), Duration.ofSeconds(60))
                    .send(
                        HttpRequest.get(URI.create(plain + "/metrics")),
                        (head, body) -> head.status()))
        .hasMessage("this port speaks TLS; use https://");
  }

  @Test
  void http2IsEnabledByDefault() throws Exception {
    assertThat(client.get(start(TLS), "/metrics").version()).isEqualTo(Version.HTTP_2);
    assertThat(
            client.get(start(TLS + "http_server_config: {http2: false}\n"), "/metrics").version())
        .isEqualTo(Version.HTTP_1_1);
  }

  @Test
  void theClientChoosesTheHttpVersion() throws Exception {
    WebServer server = start(TLS);

    assertThat(client.applicationProtocol(server, "http/1.1")).isEqualTo("http/1.1");
    assertThat(client.applicationProtocol(server, "http/1.1", "h2")).isNotEmpty();
    assertThat(client.applicationProtocol(server, "h2")).isEqualTo("h2");
    assertThat(client.applicationProtocol(server)).isEmpty();
  }

  @Test
  void onlyAllowedTlsVersionsAreAccepted() throws Exception {
    WebServer both = start(TLS);
    WebServer newest = start(TLS + "  min_version: TLS13\n");
    WebServer older = start(TLS + "  max_version: TLS12\n");
    String suite12 = "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384";
    String suite13 = "TLS_AES_128_GCM_SHA256";

    assertThat(client.session(both, "TLSv1.2", suite12).getProtocol()).isEqualTo("TLSv1.2");
    assertThat(client.session(both, "TLSv1.3", suite13).getProtocol()).isEqualTo("TLSv1.3");
    assertThatThrownBy(() -> client.session(newest, "TLSv1.2", suite12))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> client.session(older, "TLSv1.3", suite13))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> client.session(both, "TLSv1.1", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void onlyConfiguredCipherSuitesAreUsedInTheConfiguredOrder() throws Exception {
    String suites =
        "  cipher_suites: [TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,"
            + " TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]\n";
    String clients = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384";
    WebServer strict = start(TLS + suites);
    WebServer polite = start(TLS + suites + "  prefer_server_cipher_suites: false\n");

    assertThat(client.session(strict, "TLSv1.2", clients).getCipherSuite())
        .isEqualTo("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");
    assertThat(client.session(polite, "TLSv1.2", clients).getCipherSuite())
        .isEqualTo("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
    assertThatThrownBy(
            () -> client.session(strict, "TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA"))
        .isInstanceOf(IOException.class);
    assertThat(client.session(strict, "TLSv1.3", "TLS_AES_256_GCM_SHA384").getProtocol())
        .isEqualTo("TLSv1.3");
  }

  @ParameterizedTest
  @CsvSource({
    "NoClientCert, -, true",
    "NoClientCert, stranger, true",
    "RequestClientCert, -, true",
    "RequestClientCert, stranger, true",
    "RequireAnyClientCert, -, false",
    "RequireAnyClientCert, stranger, true",
    "VerifyClientCertIfGiven, -, true",
    "VerifyClientCertIfGiven, scraper, true",
    "VerifyClientCertIfGiven, stranger, false",
    "RequireAndVerifyClientCert, -, false",
    "RequireAndVerifyClientCert, scraper, true",
    "RequireAndVerifyClientCert, stranger, false",
  })
  void clientCertificatesAreVerified(String type, String certificate, boolean accepted)
      throws Exception {
    String ca = type.equals("NoClientCert") ? "" : "  client_ca_file: scraper.crt\n";
    WebServer server = start(TLS + "  client_auth_type: " + type + "\n" + ca);
    TestClient selected = certificate.equals("-") ? client : client.as(certificate);

    assertThat(isAccepted(selected, server)).isEqualTo(accepted);
  }

  @ParameterizedTest
  @CsvSource({
    "prometheus.example, true",
    "'other.example, prometheus.example', true",
    "FD00:0:0:0:0:0:0:1, true",
    "fd00::1, true",
    "example, false",
    "'*.example', false",
    "scraper, false",
  })
  void clientCertificatesNeedAnAllowedName(String names, boolean accepted) throws Exception {
    List<String> quoted = new ArrayList<>();
    for (String name : names.split(", ", -1)) {
      quoted.add("\"" + name + "\"");
    }
    WebServer server =
        start(
            TLS
                + "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: scraper.crt\n"
                + "  client_allowed_sans: "
                + quoted
                + "\n");

    assertThat(isAccepted(client.as("scraper"), server)).isEqualTo(accepted);
  }

  @Test
  void aNewCertificateIsUsedOnceItsKeyMatches() throws Exception {
    WebServer server = start(TLS);
    TestClient old = client;
    assertThat(isAccepted(old, server)).isTrue();

    copy("next", "server", ".crt");
    String rsa = "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384";
    String ecdsa = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
    TestClient believesOld = new TestClient(Files.createDirectory(directory.resolve("old")));
    Files.copy(made.resolve("server.crt"), directory.resolve("old").resolve("server.crt"));
    assertThat(believesOld.session(server, "TLSv1.2", rsa).getCipherSuite()).isEqualTo(rsa);
    assertThat(believesOld.get(server, "/metrics").statusCode()).isEqualTo(200);

    copy("next", "server", ".key");
    assertThat(client.session(server, "TLSv1.2", ecdsa).getCipherSuite()).isEqualTo(ecdsa);
    assertThat(isAccepted(believesOld, server)).isFalse();
  }

  @Test
  void anInvalidFileIsAnsweredWith500UntilItIsFixed() throws Exception {
    WebServer server = start(TLS);
    assertThat(client.get(server, "/metrics").statusCode()).isEqualTo(200);

    write(TLS + "basic_auth_users: {prometheus: in the clear}\n");
    HttpResponse<String> broken = client.get(server, "/metrics");
    assertThat(broken.statusCode()).isEqualTo(500);
    assertThat(broken.body()).isEqualTo("the web configuration is invalid; see the server's log\n");

    Files.delete(directory.resolve("web.yml"));
    assertThat(client.get(server, "/metrics").statusCode()).isEqualTo(500);

    write(TLS);
    assertThat(client.get(server, "/metrics").statusCode()).isEqualTo(200);
  }

  @Test
  void removingTlsDoesNotDisableIt() throws Exception {
    WebServer server = start(TLS + "  client_auth_type: RequireAnyClientCert\n");
    write("");

    assertThat(isAccepted(client, server)).isFalse();
    assertThat(client.as("stranger").get(server, "/metrics").statusCode()).isEqualTo(500);
    assertThat(inTheClear(server)).doesNotContain("ecc_up");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2a", "2b", "2y"})
  void usersNeedTheirPassword(String version) throws Exception {
    WebServer server = start(TLS + "basic_auth_users:\n  prometheus: " + hash(version) + "\n");

    assertThat(client.get(server, "/metrics", basic("prometheus", "secret")).statusCode())
        .isEqualTo(200);
    HttpResponse<String> anonymous = client.get(server, "/metrics");
    assertThat(anonymous.statusCode()).isEqualTo(401);
    assertThat(anonymous.headers().firstValue("WWW-Authenticate"))
        .hasValue("Basic realm=\"lapwing\"");
    assertThat(anonymous.body()).isEqualTo("user name and password required\n");
    for (String[] wrong :
        List.of(
            basic("prometheus", "Secret"),
            basic("prometheus", ""),
            basic("prometheu", "ssecret"),
            basic("nobody", "secret"),
            new String[] {"Authorization", "Basic ***"},
            new String[] {"Authorization", "Bearer secret"})) {
      HttpResponse<String> answer = client.get(server, "/-/healthy", wrong);
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.body()).isEqualTo(anonymous.body());
    }
    assertThat(client.get(server, "/none").statusCode()).isEqualTo(401);
  }

  @Test
  void aRemovedUserIsRefused() throws Exception {
    WebServer server = start("basic_auth_users:\n  prometheus: " + hash("2y") + "\n");
    assertThat(client.get(server, "/metrics", basic("prometheus", "secret")).statusCode())
        .isEqualTo(200);

    write("basic_auth_users:\n  other: " + hash("2y") + "\n");

    assertThat(client.get(server, "/metrics", basic("prometheus", "secret")).statusCode())
        .isEqualTo(401);
    assertThat(client.get(server, "/metrics", basic("other", "secret")).statusCode())
        .isEqualTo(200);
  }

  @Test
  void theRateIsLimitedBeforeAuthentication() throws Exception {
    WebServer server = start(TWO_AN_HOUR + "basic_auth_users:\n  prometheus: " + hash("2y") + "\n");

    assertThat(client.get(server, "/metrics", basic("prometheus", "secret")).statusCode())
        .isEqualTo(200);
    assertThat(client.get(server, "/metrics").statusCode()).isEqualTo(401);
    assertThat(client.get(server, "/metrics").statusCode()).isEqualTo(429);
    assertThat(client.get(server, "/metrics", basic("prometheus", "wrong")).statusCode())
        .isEqualTo(429);
    assertThat(servers.counted.answered).contains("metrics 200", "other 401", "other 429");
  }

  @Test
  void whoSendsTooMuchDoesNotKeepOutAPasswordThatWasRight() throws Exception {
    WebServer server = start(TWO_AN_HOUR + "basic_auth_users:\n  prometheus: " + hash("2y") + "\n");
    String[] right = basic("prometheus", "secret");
    assertThat(client.get(server, "/metrics", right).statusCode()).isEqualTo(200);
    for (int i = 0; i < 5; i++) {
      client.get(server, "/metrics");
    }
    assertThat(client.get(server, "/metrics").statusCode()).isEqualTo(429);

    assertThat(client.get(server, "/metrics", right).statusCode()).isEqualTo(200);
    assertThat(client.get(server, "/metrics", right).statusCode()).isEqualTo(200);
    assertThat(client.get(server, "/metrics", right).statusCode())
        .as("the user's own limit")
        .isEqualTo(429);
  }

  @Test
  void probesAreNotCountedInTheRate() throws Exception {
    WebServer server = start(TWO_AN_HOUR);
    for (int i = 0; i < 3; i++) {
      client.get(server, "/metrics");
    }

    assertThat(client.get(server, "/metrics").statusCode()).isEqualTo(429);
    assertThat(client.get(server, "/-/healthy").statusCode()).isEqualTo(200);
    assertThat(client.get(server, "/-/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void aGuessOfAPasswordIsCountedWhereverItIsSent() throws Exception {
    WebServer server = start(TWO_AN_HOUR + "basic_auth_users:\n  prometheus: " + hash("2y") + "\n");
    String[] right = basic("prometheus", "secret");
    assertThat(client.get(server, "/-/ready", right).statusCode()).isEqualTo(200);

    assertThat(client.get(server, "/-/ready", basic("prometheus", "a")).statusCode())
        .isEqualTo(401);
    for (String path : List.of("/-/healthy", "/-/ready")) {
      assertThat(client.get(server, path, basic("prometheus", "b")).statusCode()).isEqualTo(429);
      for (int i = 0; i < 3; i++) {
        assertThat(client.get(server, path).statusCode()).isEqualTo(401);
        assertThat(client.get(server, path, right).statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void configuredHeadersOverrideDefaults() throws Exception {
    WebServer server =
        start(
            """
            http_server_config:
              headers:
                X-Frame-Options: sameorigin
                Strict-Transport-Security: max-age=31536000
                X-XSS-Protection: 1
            """);

    for (String path : List.of("/", "/metrics", "/none")) {
      HttpResponse<String> answer = client.get(server, path);
      assertThat(answer.headers().allValues("X-Frame-Options")).containsExactly("sameorigin");
      assertThat(answer.headers().allValues("Strict-Transport-Security"))
          .containsExactly("max-age=31536000");
      assertThat(answer.headers().allValues("X-XSS-Protection")).containsExactly("1");
      assertThat(
              answer.headers().map().keySet().stream().map(name -> name.toLowerCase(Locale.ROOT)))
          .doesNotContain("server");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pkcs8-rsa", "pkcs1", "sec1", "pkcs8-ec", "sec1-p384", "ed25519"})
  void allKeyFormatsOfOpensslAreAccepted(String form) throws Exception {
    Path server = directory.resolve("server.key");
    switch (form) {
      case "pkcs1" ->
          Openssl.run(directory, "rsa", "-in", "server.key", "-traditional", "-out", "server.key");
      case "pkcs8-ec" ->
          Openssl.selfSigned(directory, "server", "ec", "DNS:localhost,IP:127.0.0.1");
      case "sec1" -> {
        Openssl.selfSigned(directory, "server", "ec", "DNS:localhost,IP:127.0.0.1");
        Openssl.run(directory, "ec", "-in", "server.key", "-out", "server.key");
      }
      case "sec1-p384" -> {
        Openssl.run(directory, "ecparam", "-name", "secp384r1", "-genkey", "-out", "server.key");
        Openssl.run(
            directory,
            "req",
            "-x509",
            "-key",
            "server.key",
            "-subj",
            "/CN=x",
            "-out",
            "server.crt",
            "-addext",
            "subjectAltName=IP:127.0.0.1");
      }
      case "ed25519" ->
          Openssl.selfSigned(directory, "server", "ed25519", "DNS:localhost,IP:127.0.0.1");
      default -> {}
    }
    assertThat(Files.readString(server))
        .contains(
            switch (form) {
              case "pkcs1" -> "BEGIN RSA PRIVATE KEY";
              case "sec1", "sec1-p384" -> "BEGIN EC PRIVATE KEY";
              default -> "BEGIN PRIVATE KEY";
            });

    assertThat(client.get(start(TLS), "/metrics").statusCode()).isEqualTo(200);
  }

  @Test
  void certificateAndKeyMayBeInline() throws Exception {
    String inline =
        "tls_server_config:\n  cert: |\n"
            + Files.readString(directory.resolve("server.crt")).indent(4)
            + "  key: |\n"
            + Files.readString(directory.resolve("server.key")).indent(4);

    assertThat(client.get(start(inline), "/metrics").statusCode()).isEqualTo(200);
  }

  @Test
  void stalledConnectionsDoNotBlockAScraper() throws Exception {
    for (String config : List.of(TLS, "rate_limit: {interval: 1ms, burst: 1000}\n")) {
      WebServer server = start(config);
      List<Socket> halfOpen = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        Socket socket = connect(server);
        halfOpen.add(socket);
        write(
            socket,
            config.equals(TLS) ? "\u0016\u0003\u0001\u0001" : "GET /metrics HTTP/1.1\r\nX: ");
        if (i % 40 == 39) {
          halfOpen.forEach(one -> write(one, "x"));
          assertThat(client.get(server, "/metrics").statusCode()).isEqualTo(200);
        }
      }
      for (Socket socket : halfOpen) {
        socket.close();
      }
    }
  }

  private static void write(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException sentAway) {
      // Which is what the test is about.
    }
  }

  private static boolean isAccepted(TestClient client, WebServer server) throws Exception {
    try {
      return client.get(server, "/metrics").statusCode() == 200;
    } catch (IOException refused) {
      return false;
    }
  }

  private static Socket connect(WebServer server) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.addresses().get(0).getPort());
  }

  private static String inTheClear(WebServer server) throws Exception {
    try (Socket socket = connect(server)) {
      socket.setSoTimeout(180_000);
      write(socket, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException refused) {
      return "";
    }
  }

  /** The hash of {@code secret} with the lowest cost. */
  private static String hash(String version) {
    return MadeHashes.of("secret", version);
  }

  private void copy(String from, String to, String ending) throws IOException {
    Files.copy(
        made.resolve(from + ending),
        directory.resolve(to + ending),
        StandardCopyOption.REPLACE_EXISTING);
  }

  private void write(String config) throws IOException {
    Files.writeString(directory.resolve("web.yml"), config);
  }

  private WebServer start(String config) throws Exception {
    Path file = directory.resolve(files++ == 0 ? "web.yml" : "web" + files + ".yml");
    Files.writeString(file, config);
    return servers.start(file);
  }
}
