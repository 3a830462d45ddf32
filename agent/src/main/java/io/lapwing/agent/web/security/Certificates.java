package io.lapwing.agent.web.security;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Certificates in PEM form. */
public final class Certificates {

  private Certificates() {}

  /** All certificates in order; at least one. */
  public static List<X509Certificate> read(String pem) throws PemProblem {
    List<X509Certificate> certificates = new ArrayList<>();
    for (PemBlock block : PemBlock.all(pem)) {
      if (block.type().equals("CERTIFICATE")) {
        certificates.add(certificate(block.der()));
      }
    }
    if (certificates.isEmpty()) {
      throw new PemProblem("has no certificate in PEM form");
    }
    return certificates;
  }

  private static X509Certificate certificate(byte[] der) throws PemProblem {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException e) {
      throw new PemProblem("has an invalid certificate", e);
    }
  }
}
