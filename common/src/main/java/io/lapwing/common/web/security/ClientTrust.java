package io.lapwing.common.web.security;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Verifies client certificates: the authority, if required, and the allowed names. */
final class ClientTrust extends X509ExtendedTrustManager {
  private final Optional<X509ExtendedTrustManager> authorities;
  private final AllowedNames names;

  /** Without authorities any certificate is accepted, also self-signed. */
  ClientTrust(Optional<X509ExtendedTrustManager> authorities, AllowedNames names) {
    this.authorities = authorities;
    this.names = names;
  }

  /** Trusts these authorities; none: Java's defaults. */
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

  /** {@code client_allowed_sans}: a client certificate needs one of these names, exactly. */
  static final class AllowedNames {
    private static final int EMAIL = 1;
    private static final int DNS = 2;
    private static final int URI = 6;
    private static final int IP = 7;

    private final Set<String> names;

    AllowedNames(List<String> names) {
      this.names =
          names.stream().map(AllowedNames::normalized).collect(Collectors.toUnmodifiableSet());
    }

    /** Throws if the certificate has none of the names. */
    void check(X509Certificate[] chain) throws CertificateException {
      if (names.isEmpty()) {
        return;
      }
      if (chain.length == 0 || !allowed(chain[0])) {
        throw new CertificateException("the certificate has none of client_allowed_sans");
      }
    }

    private boolean allowed(X509Certificate certificate) throws CertificateParsingException {
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      if (all == null) {
        return false;
      }
      for (List<?> name : all) {
        int kind = (Integer) name.get(0);
        if (kind == IP && names.contains(normalized((String) name.get(1)))) {
          return true;
        }
        if ((kind == DNS || kind == EMAIL || kind == URI) && names.contains((String) name.get(1))) {
          return true;
        }
      }
      return false;
    }

    /** Normalizes IPv6 addresses. Makes no DNS request. */
    private static String normalized(String name) {
      if (!name.matches("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
        return name;
      }
      try {
        return InetAddress.getByName(name).getHostAddress();
      } catch (UnknownHostException e) {
        return name;
      }
    }
  }
}
