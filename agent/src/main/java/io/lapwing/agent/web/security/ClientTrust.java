package io.lapwing.agent.web.security;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Verifies client certificates: the authority, if required, and the allowed names. */
final class ClientTrust extends X509ExtendedTrustManager {
  private final Optional<X509ExtendedTrustManager> authorities;
  private final AllowedNames names;

  /**
   * @param authorities empty: any certificate is accepted, also self-signed
   */
  ClientTrust(Optional<X509ExtendedTrustManager> authorities, AllowedNames names) {
    this.authorities = authorities;
    this.names = names;
  }

  /**
   * The trust manager for these authorities.
   *
   * @param certificates empty for Java's default authorities
   */
  static X509ExtendedTrustManager authorities(List<X509Certificate> certificates)
      throws GeneralSecurityException {
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(certificates.isEmpty() ? null : store(certificates));
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager trust) {
        return trust;
      }
    }
    throw new GeneralSecurityException("this Java has no PKIX trust manager");
  }

  private static KeyStore store(List<X509Certificate> certificates)
      throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < certificates.size(); i++) {
        store.setCertificateEntry("ca-" + i, certificates.get(i));
      }
      return store;
    } catch (IOException impossible) {
      throw new GeneralSecurityException("an empty key store cannot fail", impossible);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    if (authorities.isPresent()) {
      authorities.get().checkClientTrusted(chain, type, engine);
    }
    names.check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    if (authorities.isPresent()) {
      authorities.get().checkClientTrusted(chain, type, socket);
    }
    names.check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    if (authorities.isPresent()) {
      authorities.get().checkClientTrusted(chain, type);
    }
    names.check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("this side is the server");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    throw new CertificateException("this side is the server");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("this side is the server");
  }

  /** Sent to clients, so that they can choose a certificate. */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities
        .map(X509ExtendedTrustManager::getAcceptedIssuers)
        .orElse(new X509Certificate[0]);
  }
}
