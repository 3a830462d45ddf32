package io.lapwing.drain.intake.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.lapwing.common.config.ClientConfig;
import io.lapwing.common.web.security.ClientAccess;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.HealthReader.Answer;
import io.lapwing.drain.health.HealthReader.Answered;
import io.lapwing.drain.health.HealthReader.Silent;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent with TLS that asks for a client certificate. One key is that of both. */
class TlsAgentTest {

  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private static Path dir;
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();
  private static HttpsServer server;
  private static KeyStore keys;

  @BeforeAll
  static void anAgent() throws Exception {
    Path store = dir.resolve("agent.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                "-genkeypair",
                "-alias",
                "agent",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit")
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    keys.setCertificateEntry("authority", keys.getCertificate("agent"));
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(demandingACertificate(context(true)));
    byte[] body = HealthDocumentTest.recorded().getBytes(UTF_8);
    server.createContext(
        "/api/v1/health",
        exchange -> {
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.setExecutor(THREADS);
    server.start();
  }

  private static HttpsConfigurator demandingACertificate(SSLContext context) {
    return new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters parameters) {
        SSLParameters ssl = getSSLContext().getDefaultSSLParameters();
        ssl.setNeedClientAuth(true);
        parameters.setSSLParameters(ssl);
      }
    };
  }

  private static SSLContext context(boolean identity) throws GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        identity ? own.getKeyManagers() : new KeyManager[0], trust.getTrustManagers(), null);
    return context;
  }

  @AfterAll
  static void ended() {
    server.stop(0);
    THREADS.shutdownNow();
  }

  private static Answer ask(Optional<SSLContext> tls, String node) {
    return new HttpHealthReader(
            new AgentPages(
                "https://{node}:" + server.getAddress().getPort(),
                new JdkHttpGet(tls, Duration.ofSeconds(30), 100_000, THREADS),
                Authorization.NONE),
            any -> "i-0123456789abcdef0")
        .ask(new NodeName(node));
  }

  @Test
  void anAgentWithAKnownAuthorityAnswersAKnownClient() throws Exception {
    assertThat(ask(Optional.of(context(true)), "localhost")).isInstanceOf(Answered.class);
  }

  @Test
  void authoritiesAndTheClientCertificateAreOfTheFileForAgents() throws Exception {
    byte[] certificate = keys.getCertificate("agent").getEncoded();
    pem(dir.resolve("ca.crt"), "CERTIFICATE", certificate);
    pem(dir.resolve("me.key"), "PRIVATE KEY", keys.getKey("agent", PASSWORD).getEncoded());
    Path file =
        Files.writeString(
            dir.resolve("agents.yml"),
            "tls_config: {ca_file: ca.crt, cert_file: ca.crt, key_file: me.key}\n");
    SSLContext tls = ClientAccess.context(ClientConfig.read(file));

    assertThat(ask(Optional.of(tls), "localhost")).isInstanceOf(Answered.class);
  }

  private static void pem(Path file, String kind, byte[] der) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, text, kind));
  }

  @Test
  void anUnknownAuthorityAnotherNameOrNoCertificateIsSilence() throws Exception {
    for (Answer answer :
        List.of(
            ask(Optional.empty(), "localhost"),
            ask(Optional.of(context(true)), "127.0.0.1"),
            ask(Optional.of(context(false)), "localhost"))) {
      assertThat(answer).isInstanceOf(Silent.class);
    }
  }
}
