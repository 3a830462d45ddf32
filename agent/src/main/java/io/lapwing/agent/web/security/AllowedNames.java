package io.lapwing.agent.web.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code client_allowed_sans}: a client certificate needs one of these names, exactly. */
final class AllowedNames {
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
