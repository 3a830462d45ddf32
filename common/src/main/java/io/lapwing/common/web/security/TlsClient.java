package io.lapwing.common.web.security;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

public final class TlsClient {

  private TlsClient() {}

  /**
   * Trusts these certificates (none: Java's defaults) or those they issued, with an optional client
   * identity.
   */
  public static SSLSocketFactory of(List<X509Certificate> authorities, Optional<Identity> identity)
      throws GeneralSecurityException {
    return context(authorities, identity).getSocketFactory();
  }

  /** The same, for clients that take a context. */
  static SSLContext context(List<X509Certificate> authorities, Optional<Identity> identity)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        identity.map(Identity::keyManager).stream().toArray(KeyManager[]::new),
        new TrustManager[] {ClientTrust.authorities(authorities)},
        null);
    return context;
  }
}
