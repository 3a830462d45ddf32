package io.lapwing.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Clients that connect, say what makes the agent work or wait, and then do nothing more. */
final class SlowClients implements AutoCloseable {

  private static final int SETTINGS = 4;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int HEADERS = 1;
  private static final int END_STREAM_AND_HEADERS = 5;
  private static final int PATIENCE_MILLIS = 180_000;

  private final InetSocketAddress agent;
  private final SSLContext tls;
  private final List<Socket> open = new ArrayList<>();

  /**
   * @param tls believes the agent's certificate
   */
  SlowClients(InetSocketAddress agent, SSLContext tls) {
    this.agent = agent;
    this.tls = tls;
  }

  /** Believes one certificate. */
  static SSLContext believing(Path certificate) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream in = Files.newInputStream(certificate)) {
      store.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** One that begins a handshake, has the agent compute its keys, and sends no more. */
  void beginHandshake() throws Exception {
    SSLEngine engine = tls.createSSLEngine();
    engine.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    Socket socket = connect();
    socket.getOutputStream().write(hello.array(), 0, hello.position());
  }

  /** One that requests a page many times over HTTP/2 and opens no window for the answers. */
  void requestWithoutReading(String path, int times, Map<String, String> headers)
      throws IOException {
    SSLSocket socket =
        (SSLSocket)
            tls.getSocketFactory()
                .createSocket(connect(), agent.getHostString(), agent.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    all.writeBytes(
        frame(
            SETTINGS,
            0,
            0,
            ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(0).array()));
    for (int i = 0; i < times; i++) {
      all.writeBytes(frame(HEADERS, END_STREAM_AND_HEADERS, 1 + 2 * i, request(path, headers)));
    }
    socket.getOutputStream().write(all.toByteArray());
    synchronized (open) {
      open.add(socket);
    }
  }

  private static byte[] request(String path, Map<String, String> headers) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(literal(":method", "GET"));
    block.writeBytes(literal(":scheme", "https"));
    block.writeBytes(literal(":path", path));
    block.writeBytes(literal(":authority", "node-7.example"));
    headers.forEach((name, value) -> block.writeBytes(literal(name, value)));
    return block.toByteArray();
  }

  /** A header that is neither compressed nor kept. */
  private static byte[] literal(String name, String value) {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    header.write(0);
    for (String part : List.of(name, value)) {
      header.write(part.length());
      header.writeBytes(part.getBytes(StandardCharsets.US_ASCII));
    }
    return header.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(payload.length >> 16);
      out.writeShort(payload.length);
      out.writeByte(type);
      out.writeByte(flags);
      out.writeInt(stream);
      out.write(payload);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return bytes.toByteArray();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    synchronized (open) {
      open.add(socket);
    }
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(agent, PATIENCE_MILLIS);
    return socket;
  }

  /** They go. */
  @Override
  public void close() throws IOException {
    synchronized (open) {
      for (Socket socket : open) {
        socket.close();
      }
      open.clear();
    }
  }
}
