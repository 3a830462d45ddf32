package io.lapwing.agent.web;

import java.net.InetSocketAddress;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Gives each connection the TLS of the moment, where Jetty would keep one for good. */
final class TlsFactory extends SslContextFactory.Server {
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
