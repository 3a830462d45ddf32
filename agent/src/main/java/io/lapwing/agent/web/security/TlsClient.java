package io.lapwing.agent.web.security;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** Makes the client's end of TLS connections. */
public final class TlsClient {

  private TlsClient() {}

  /**
   * For connections to those that have a certificate of these, or one of these itself.
   *
   * @param authorities none for those that come with Java
   * @param identity of the client
   */
  public static SSLSocketFactory of(List<X509Certificate> authorities, Optional<Identity> identity)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        identity.map(OneIdentity::new).stream().toArray(KeyManager[]::new),
        new TrustManager[] {ClientTrust.authorities(authorities)},
        null);
    return context.getSocketFactory();
  }
}
