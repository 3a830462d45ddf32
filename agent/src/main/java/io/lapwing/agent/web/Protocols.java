package io.lapwing.agent.web;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;

/** What is spoken on a connection, from the outside in. */
final class Protocols {
  private static final int REQUEST_HEADER_BYTES = 8 * 1024;

  /**
   * Jetty would remember the header fields of each connection in a table of 100 KiB: seventy
   * visitors that keep their connections open filled the heap, and the agent ended.
   */
  private static final int REMEMBERED_FIELDS = 0;

  /** How long a client may neither read nor write in the middle of a request. */
  private static final int STALLED_MILLIS = 10_000;

  /**
   * Requests of one connection of HTTP/2 at a time, each of which takes kilobytes; a scraper has
   * one.
   */
  private static final int MOST_STREAMS = 4;

  /** How much of a request's body a client may send unasked: bodies are refused. */
  private static final int BODY_BYTES = 16 * 1024;

  private Protocols() {}

  static ConnectionFactory[] of(Optional<WebSecurity> security) {
    HttpConnectionFactory http = new HttpConnectionFactory(http());
    return security
        .filter(WebSecurity::encrypted)
        .map(encrypted -> encrypted(encrypted, http))
        .orElseGet(() -> new ConnectionFactory[] {http});
  }

  /** Apart, so that plain HTTP loads nothing of it. */
  private static ConnectionFactory[] encrypted(WebSecurity security, HttpConnectionFactory http) {
    List<ConnectionFactory> inside =
        security.http2() ? List.of(alpn(http), http2(), http) : List.of(http);
    SslConnectionFactory tls =
        new SslConnectionFactory(new TlsFactory(security), inside.get(0).getProtocol());
    // It would refuse a client that knows the node by another name than the certificate.
    tls.setEnsureSecureRequestCustomizer(false);
    return Stream.concat(Stream.of(tls), inside.stream()).toArray(ConnectionFactory[]::new);
  }

  private static ALPNServerConnectionFactory alpn(HttpConnectionFactory http) {
    // As they are written in a handshake, where Jetty's own name for the second is in capitals.
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
    alpn.setDefaultProtocol(http.getProtocol());
    return alpn;
  }

  private static HTTP2ServerConnectionFactory http2() {
    HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http());
    http2.setMaxConcurrentStreams(MOST_STREAMS);
    http2.setStreamIdleTimeout(STALLED_MILLIS);
    http2.setInitialStreamRecvWindow(BODY_BYTES);
    http2.setInitialSessionRecvWindow(BODY_BYTES * MOST_STREAMS);
    return http2;
  }

  private static HttpConfiguration http() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(REQUEST_HEADER_BYTES);
    http.setHeaderCacheSize(REMEMBERED_FIELDS);
    http.setIdleTimeout(STALLED_MILLIS);
    return http;
  }
}
