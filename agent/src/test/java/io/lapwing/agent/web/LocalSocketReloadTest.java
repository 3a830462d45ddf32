package io.lapwing.agent.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lapwing.http.HttpClient;
import io.lapwing.http.HttpRequest;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A socket that was opened for all, before the configuration demanded that clients identify. */
class LocalSocketReloadTest {
  private static final String TLS =
      "tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n";
  private static final String CERTIFICATES =
      TLS + "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: server.crt\n";
  private static final int NOBODY = 65_534;

  @TempDir private Path dir = Path.of("");
  private final SecureServers servers = new SecureServers();

  @BeforeEach
  void letOthersIn() throws Exception {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    Openssl.selfSigned(dir, "server", "ec", "DNS:localhost,IP:127.0.0.1");
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private Path socket() {
    return dir.resolve("agent.sock");
  }

  private Path write(String config) throws Exception {
    return Files.writeString(dir.resolve("web.yml"), config);
  }

  private void start(String config) throws Exception {
    servers.start(write(config), Optional.of(socket()));
  }

  private int own() throws Exception {
    return HttpClient.of(Duration.ofSeconds(60), Duration.ofSeconds(60))
        .send(
            HttpRequest.get(URI.create("http://localhost/metrics")).over(socket()),
            (head, body) -> head.status());
  }

  /** As another user of the node, which needs root. */
  private int ofAnother() throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    Process curl =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + NOBODY,
                "--regid=" + NOBODY,
                "--clear-groups",
                "curl",
                "-s",
                "-o",
                "/dev/null",
                "-w",
                "%{http_code}",
                "--unix-socket",
                socket().toString(),
                "http://localhost/metrics")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return Integer.parseInt(new String(curl.getInputStream().readAllBytes(), UTF_8));
  }

  @Test
  void withUsersItsOwnUserNeedsNoPasswordAndOthersDo() throws Exception {
    start(TLS);
    assertThat(own()).isEqualTo(200);

    write(TLS + "basic_auth_users: {ada: " + MadeHashes.of("secret", "2y") + "}\n");

    assertThat(own()).isEqualTo(200);
    assertThat(ofAnother()).isEqualTo(401);
  }

  @Test
  void withClientCertificatesOthersAreRefused() throws Exception {
    start(TLS);
    write(CERTIFICATES);

    assertThat(own()).isEqualTo(200);
    assertThat(ofAnother()).isEqualTo(403);

    write(TLS);
    assertThat(ofAnother()).isEqualTo(200);
  }

  @Test
  void anInvalidConfigurationDisablesNoProtection() throws Exception {
    start(TLS);
    write("tls_server_config: 1\n");

    assertThat(own()).isEqualTo(200);
    assertThat(ofAnother()).isEqualTo(500);
  }
}
