package io.lapwing.agent.web;

import io.lapwing.common.config.TlsConfig.PemSource;
import io.lapwing.common.web.WebServer;
import io.lapwing.common.web.security.Identity;
import io.lapwing.common.web.security.PemBlock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A client that trusts {@code server.crt} of a directory; one connection per request. */
final class TestClient {
  private final Path directory;
  private final List<KeyManager> identities = new ArrayList<>();

  TestClient(Path directory) {
    this.directory = directory;
  }

  /** With a client certificate. */
  TestClient as(String name) {
    TestClient client = new TestClient(directory);
    List<String> problems = new ArrayList<>();
    client.identities.add(
        Identity.read(
                new PemSource.InFile(name, directory.resolve(name + ".crt")),
                new PemSource.InFile(name, directory.resolve(name + ".key")),
                problems)
            .orElseThrow(() -> new AssertionError(problems))
            .keyManager());
    return client;
  }

  HttpResponse<String> get(WebServer server, String path, String... headers) throws Exception {
    URI url = URI.create(server.urls().get(0) + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(url).timeout(Duration.ofSeconds(60));
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpClient.Builder client = HttpClient.newBuilder();
    if (url.getScheme().equals("https")) {
      client.sslContext(context());
    }
    return client.build().send(request.build(), BodyHandlers.ofString());
  }

  /** Handshakes with one version and one cipher suite. */
  SSLSession session(WebServer server, String version, String cipherSuite) throws Exception {
    try (SSLSocket socket =
        (SSLSocket)
            context()
                .getSocketFactory()
                .createSocket("127.0.0.1", server.addresses().get(0).getPort())) {
      socket.setSoTimeout(180_000);
      socket.setEnabledProtocols(new String[] {version});
      socket.setEnabledCipherSuites(cipherSuite.split(","));
      socket.startHandshake();
      return socket.getSession();
    }
  }

  /** The protocol negotiated with these offers. */
  String applicationProtocol(WebServer server, String... offered) throws Exception {
    try (SSLSocket socket =
        (SSLSocket)
            context()
                .getSocketFactory()
                .createSocket("127.0.0.1", server.addresses().get(0).getPort())) {
      socket.setSoTimeout(180_000);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(offered);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket.getApplicationProtocol();
    }
  }

  SSLContext context() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry(
        "server", PemBlock.certificates(Files.readString(directory.resolve("server.crt"))).get(0));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(identities.toArray(KeyManager[]::new), trust.getTrustManagers(), null);
    return context;
  }

  static String[] basic(String user, String password) {
    byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return new String[] {"Authorization", "Basic " + Base64.getEncoder().encodeToString(pair)};
  }
}
