package io.lapwing.common.web;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The protocol stack of a connection, outermost first. */
final class Protocols {
  private static final int REQUEST_HEADER_BYTES = 8 * 1024;

  /**
   * Disabled: Jetty's header table takes 100 KiB per connection; 70 connections exhausted the heap.
   */
  private static final int HEADER_CACHE_SIZE = 0;

  /** How long a client may stall within a request. */
  private static final int STALLED_MILLIS = 10_000;

  /** Concurrent HTTP/2 requests per connection. Each takes kilobytes; a scraper needs one. */
  private static final int MAX_STREAMS = 4;

  /** Flow-control window for request bodies, which are refused. */
  private static final int BODY_WINDOW_BYTES = 16 * 1024;

  private Protocols() {}

  static ConnectionFactory[] of(Optional<WebSecurity> security) {
    HttpConnectionFactory http = new HttpConnectionFactory(http());
    return security
        .filter(WebSecurity::encrypted)
        .map(encrypted -> encrypted(encrypted, http))
        .orElseGet(() -> new ConnectionFactory[] {http});
  }

  /** Separate, so that plain HTTP does not load the TLS classes. */
  private static ConnectionFactory[] encrypted(WebSecurity security, HttpConnectionFactory http) {
    List<ConnectionFactory> inside =
        security.http2() ? List.of(alpn(http), http2(), http) : List.of(http);
    SslConnectionFactory tls =
        new SslConnectionFactory(new TlsFactory(security), inside.get(0).getProtocol());
    // It would refuse clients that use a host name that is not in the certificate.
    tls.setEnsureSecureRequestCustomizer(false);
    return Stream.concat(Stream.of(tls), inside.stream()).toArray(ConnectionFactory[]::new);
  }

  private static ALPNServerConnectionFactory alpn(HttpConnectionFactory http) {
    // ALPN names are lower case; Jetty's own name of HTTP/1.1 is not.
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
    alpn.setDefaultProtocol(http.getProtocol());
    return alpn;
  }

  private static HTTP2ServerConnectionFactory http2() {
    HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http());
    http2.setMaxConcurrentStreams(MAX_STREAMS);
    http2.setStreamIdleTimeout(STALLED_MILLIS);
    http2.setInitialStreamRecvWindow(BODY_WINDOW_BYTES);
    http2.setInitialSessionRecvWindow(BODY_WINDOW_BYTES * MAX_STREAMS);
    return http2;
  }

  private static HttpConfiguration http() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(REQUEST_HEADER_BYTES);
    http.setHeaderCacheSize(HEADER_CACHE_SIZE);
    http.setIdleTimeout(STALLED_MILLIS);
    return http;
  }

  /** Uses the current TLS configuration for each connection; Jetty would keep the first. */
  private static final class TlsFactory extends SslContextFactory.Server {
    private final WebSecurity security;

    TlsFactory(WebSecurity security) {
      this.security = security;
      setSslContext(security.tls().context());
      setRenegotiationAllowed(false);
    }

    @Override
    public SSLEngine newSSLEngine() {
      return security.tls().engine();
    }

    @Override
    public SSLEngine newSSLEngine(String host, int port) {
      return newSSLEngine();
    }

    @Override
    public SSLEngine newSSLEngine(InetSocketAddress address) {
      return newSSLEngine();
    }
  }
}
