package io.lapwing.packaging;

import static io.lapwing.packaging.Chart.elements;
import static io.lapwing.packaging.Chart.everything;
import static io.lapwing.packaging.Chart.objects;
import static io.lapwing.packaging.Chart.ofKind;
import static io.lapwing.packaging.Chart.pod;
import static io.lapwing.packaging.Chart.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart's TLS, passwords, keys and probes. */
class HelmSecurityTest {

  @Test
  void theWebConfigurationIsASecretThatOnlyTheAgentMounts() throws IOException {
    List<JsonNode> objects = everything();
    JsonNode secret = ofKind(objects, "Secret").findFirst().orElseThrow();
    JsonNode web = Chart.YAML.readTree(secret.at("/stringData/web.yml").asText());
    assertThat(web.at("/tls_server_config/cert_file").asText())
        .isEqualTo("/etc/lapwing/tls/tls.crt");
    assertThat(web.at("/basic_auth_users/prometheus").asText()).startsWith("$2y$10$");

    JsonNode pod = pod(objects);
    assertThat(environment(pod))
        .contains(
            "LAPWING_WEB_CONFIG_FILE=/etc/lapwing/web/web.yml",
            "LAPWING_WEB_PRIVACY=hashed",
            "LAPWING_WEB_PRIVACY_KEY=/etc/lapwing/privacy/privacy.key");
    for (String volume : List.of("web", "tls", "privacy-key")) {
      assertThat(elements(pod.path("volumes")))
          .filteredOn(one -> one.path("name").asText().equals(volume))
          .singleElement()
          .satisfies(one -> assertThat(one.at("/secret/defaultMode").asInt()).isEqualTo(0400));
      assertThat(mounting(pod, volume)).containsExactly("lapwing");
    }
    assertThat(secret.at("/metadata/name").asText())
        .isEqualTo(secretOf(pod, "web"))
        .isNotEqualTo(secretOf(pod, "tls"));
  }

  @Test
  void aSecretOfTheSiteIsUsedAsItIs() throws IOException {
    List<JsonNode> objects = objects(template().set("web.secret", "site-web"));

    assertThat(ofKind(objects, "Secret")).isEmpty();
    assertThat(secretOf(pod(objects), "web")).isEqualTo("site-web");
    assertThat(environment(pod(objects)))
        .contains("LAPWING_WEB_CONFIG_FILE=/etc/lapwing/web/web.yml")
        .noneMatch(one -> one.startsWith("LAPWING_WEB_PRIVACY"));
  }

  @Test
  void valuesWithoutAnEffectAreRefused() {
    assertThatThrownBy(() -> template().set("web.tlsSecret", "tls").call())
        .hasMessageContaining("web.tlsSecret has no effect");
    assertThatThrownBy(() -> template().set("web.privacyKeySecret", "key").call())
        .hasMessageContaining("needs web.privacy=hashed");
    assertThatCode(
            () ->
                template()
                    .set("web.privacyKeySecret", "key")
                    .set("config.web.privacy", "hashed")
                    .call())
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () ->
                template()
                    .set("web.secret", "site-web")
                    .set("web.config.rate_limit.interval", "1s")
                    .call())
        .hasMessageContaining("exclude each other");
    assertThatThrownBy(() -> template().set("web.config.basic_auth", "x").call())
        .hasMessageContaining("basic_auth");
  }

  @Test
  void theScrapeUsesTlsAndAPassword() throws IOException {
    JsonNode monitor = ofKind(everything(), "PodMonitor").findFirst().orElseThrow();
    JsonNode endpoint = monitor.at("/spec/podMetricsEndpoints/0");
    assertThat(endpoint.path("scheme").asText()).isEqualTo("https");
    assertThat(endpoint.at("/tlsConfig/insecureSkipVerify").asBoolean()).isTrue();
    assertThat(endpoint.at("/basicAuth/password/key").asText()).isEqualTo("password");

    JsonNode plain = ofKind(everything(), "ServiceMonitor").findFirst().orElseThrow();
    assertThat(plain.at("/spec/endpoints/0/scheme").asText()).isEqualTo("http");
    assertThat(plain.at("/spec/endpoints/0").has("basicAuth")).isFalse();
  }

  @Test
  void withoutAWebConfigurationTheKubeletAsksOverHttp() throws IOException {
    JsonNode container = pod(objects(template())).at("/containers/0");

    assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/-/healthy");
    assertThat(container.at("/startupProbe/httpGet/path").asText()).isEqualTo("/-/healthy");
    assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/-/ready");
  }

  /** The probe's own program, against a server that answers as the agent. */
  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1 200 OK, 0",
    "HTTP/1.1 503 Service Unavailable, 1",
    "HTTP/1.1 2000 No status, 1",
    "'', 1"
  })
  void withOneItAsksOverTheUnixSocket(String status, int code, @TempDir Path dir) throws Exception {
    JsonNode container = pod(everything()).at("/containers/0");
    assertThat(program(container, "startupProbe")).contains("GET /-/healthy HTTP/1.0");
    assertThat(program(container, "livenessProbe")).contains("GET /-/healthy HTTP/1.0");
    String program = program(container, "readinessProbe");
    assertThat(program).contains("GET /-/ready HTTP/1.0");
    Path socket = dir.resolve("agent.sock");
    String here = program.replace("/run/lapwing/agent/agent.sock", socket.toString());
    assertThat(run(here)).as("no agent").isNotZero();

    try (ServerSocketChannel agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      agent.bind(UnixDomainSocketAddress.of(socket));
      CompletableFuture<String> asked =
          CompletableFuture.supplyAsync(() -> answer(agent, status + "\r\n\r\n"));
      assertThat(run(here) == 0).isEqualTo(code == 0);
      assertThat(asked.join()).isEqualTo("GET /-/ready HTTP/1.0\r\nHost: localhost\r\n\r\n");
    }
  }

  private static String answer(ServerSocketChannel agent, String text) {
    try (SocketChannel client = agent.accept();
        InputStream in = Channels.newInputStream(client)) {
      byte[] request = in.readNBytes("GET /-/ready HTTP/1.0\r\nHost: localhost\r\n\r\n".length());
      client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      return new String(request, StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int run(String program) throws Exception {
    Process perl =
        new ProcessBuilder("perl", "-MIO::Socket::UNIX", "-e", program)
            .redirectErrorStream(true)
            .start();
    perl.getInputStream().readAllBytes();
    return perl.waitFor();
  }

  private static String program(JsonNode container, String probe) {
    JsonNode command = container.path(probe).at("/exec/command");
    assertThat(command.at("/0").asText()).isEqualTo("perl");
    assertThat(command).hasSize(4);
    return command.at("/3").asText();
  }

  @Test
  void theStepsMountIsTheOnlyReasonForAPrivilegedInitContainer() throws IOException {
    JsonNode mounts = steps(pod(objects(template())));
    assertThat(mounts.at("/securityContext/privileged").asBoolean()).isTrue();
    assertThat(elements(mounts.path("volumeMounts"))).hasSize(1);

    JsonNode only = steps(pod(objects(template().set("host.stepsMount", "false"))));
    assertThat(only.at("/securityContext").has("privileged")).isFalse();
    assertThat(only.at("/securityContext/capabilities/drop/0").asText()).isEqualTo("ALL");
    assertThat(only.at("/volumeMounts/0").has("mountPropagation")).isFalse();
    assertThat(only.at("/command/2").asText()).contains("chmod 1777").doesNotContain("exec mount ");
  }

  private static JsonNode steps(JsonNode pod) {
    return elements(pod.path("initContainers")).stream()
        .filter(one -> one.path("name").asText().equals("steps-folder"))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> environment(JsonNode pod) {
    return elements(pod.at("/containers/0/env")).stream()
        .map(one -> one.path("name").asText() + "=" + one.path("value").asText())
        .toList();
  }

  private static String secretOf(JsonNode pod, String volume) {
    return elements(pod.path("volumes")).stream()
        .filter(one -> one.path("name").asText().equals(volume))
        .map(one -> one.at("/secret/secretName").asText())
        .findFirst()
        .orElseThrow();
  }

  private static List<String> mounting(JsonNode pod, String volume) {
    return elements(pod.path("containers")).stream()
        .filter(
            one ->
                elements(one.path("volumeMounts")).stream()
                    .anyMatch(mount -> mount.path("name").asText().equals(volume)))
        .map(one -> one.path("name").asText())
        .toList();
  }
}
