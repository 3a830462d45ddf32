package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.cli.CheckCommand;
import io.lapwing.agent.web.MadeHashes;
import io.lapwing.agent.web.Openssl;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent with a web configuration file, as a process of its own, and the commands that ask it.
 */
class SecureProcessTest {
  private static final Pattern PORT = Pattern.compile("address=https://127.0.0.1:([0-9]+)/metrics");
  private static final String TLS =
      "tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n";

  @TempDir Path directory;

  @BeforeEach
  void makeCertificate() throws Exception {
    Openssl.selfSigned(directory, "server", "rsa:2048", "DNS:node-7.example");
  }

  @Test
  void aWrongFileEndsTheAgentWithAllItsProblemsBeforeAPortIsOpened() throws Exception {
    Path file = write("tls_server_config: {cert_file: none.crt, key_file: server.crt}\n");
    try (AgentProcess agent = start(file)) {
      assertThat(agent.exitCode()).isEqualTo(2);
      assertThat(agent.err())
          .contains(
              "lapwing: " + file + ":1: tls_server_config.cert_file: ",
              "none.crt does not exist",
              "tls_server_config.key_file: ",
              "has no private key in PEM form")
          .doesNotContain("listening", "Exception");
    }
  }

  @Test
  void onlyTheCurvesThatAreNamedAreUsed() throws Exception {
    try (AgentProcess agent = start(write(TLS + "  curve_preferences: [CurveP521]\n"))) {
      String port = port(agent);

      assertThat(handshake(port, "P-521")).contains("BEGIN CERTIFICATE");
      assertThat(handshake(port, "P-384")).contains("no peer certificate available");
    }
  }

  @Test
  void aCheckFindsTheAgentOfThisMachineByItsCertificate() throws Exception {
    Path file = write(TLS);
    try (AgentProcess agent = start(file)) {
      String port = port(agent);
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          check(
                              "--json",
                              "--web.listen-address=127.0.0.1:" + port,
                              "--web.config.file=" + file))
                      .startsWith("{")
                      .contains("\"verdict\""));
      assertThat(check("--brief", "--url", "https://127.0.0.1:" + port))
          .startsWith("UNKNOWN")
          .contains("certif");
    }
  }

  @Test
  void aCheckComesInWithWhatTheOperatorGivesIt() throws Exception {
    Openssl.selfSigned(directory, "me", "ec", "DNS:me.example");
    Openssl.selfSigned(directory, "server", "ec", "DNS:localhost");
    Path file =
        write(
            TLS
                + "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: me.crt\n"
                + "basic_auth_users:\n  alice: "
                + MadeHashes.of("secret", "2y")
                + "\n");
    String tls = "tls_config: {ca_file: server.crt, cert_file: me.crt, key_file: me.key}\n";
    Path client = directory.resolve("client.yml");
    try (AgentProcess agent = start(file)) {
      String url = "https://localhost:" + port(agent);

      Files.writeString(client, tls);
      assertThat(check("--brief", "--url", url, "--http.config.file=" + client))
          .startsWith("UNKNOWN")
          .contains("HTTP 401");

      Files.writeString(directory.resolve("password"), "secret\n");
      Files.writeString(client, tls + "basic_auth: {username: alice, password_file: password}\n");
      assertThat(check("--json", "--url", url, "--http.config.file=" + client))
          .contains("\"verdict\"");
    }
  }

  private AgentProcess start(Path file) throws Exception {
    return AgentProcess.start(
        directory,
        List.of(
            "agent",
            "--web.listen-address=127.0.0.1:0",
            "--web.config.file=" + file,
            "--path.state=" + directory.resolve("state"),
            "--path.kmsg=" + Files.writeString(directory.resolve("kmsg"), ""),
            "--nvml.library=" + directory.resolve("no-such-library.so"),
            "--imds.url=off"));
  }

  private static String port(AgentProcess agent) {
    return await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () -> {
              Matcher port = PORT.matcher(agent.err());
              return port.find() ? port.group(1) : "";
            },
            port -> !port.isEmpty());
  }

  private String handshake(String port, String curve) throws Exception {
    return Openssl.run(
        directory, "s_client", "-connect", "127.0.0.1:" + port, "-groups", curve, "-tls1_3");
  }

  private static String check(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    new CheckCommand(
            Map.of(),
            settings -> {
              throw new AssertionError("it should ask the agent");
            },
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(new ArrayList<>(List.of(words)));
    return out.toString(StandardCharsets.UTF_8);
  }

  private Path write(String config) throws Exception {
    return Files.writeString(directory.resolve("web.yml"), config);
  }
}
