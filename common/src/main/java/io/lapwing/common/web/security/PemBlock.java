package io.lapwing.common.web.security;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The content between {@code -----BEGIN TYPE-----} and {@code -----END TYPE-----}. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PemBlock(String type, byte[] der) {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  /** An invalid certificate or key. The message reveals nothing of its content. */
  public static final class PemProblem extends Exception {

    PemProblem(String message) {
      super(message);
    }

    PemProblem(String message, Throwable cause) {
      super(message, cause);
    }

    public String text() {
      return String.valueOf(getMessage());
    }
  }

  /** All blocks; ignores text around them. */
  static List<PemBlock> all(String text) throws PemProblem {
    List<PemBlock> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      blocks.add(new PemBlock(block.group(1), decode(block.group(1), block.group(2))));
    }
    return blocks;
  }

  /** All certificates of a PEM text in order; at least one. */
  public static List<X509Certificate> certificates(String pem) throws PemProblem {
    List<X509Certificate> certificates = new ArrayList<>();
    for (PemBlock block : all(pem)) {
      if (block.type.equals("CERTIFICATE")) {
        certificates.add(certificate(block.der));
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

  private static byte[] decode(String type, String body) throws PemProblem {
    if (body.contains("ENCRYPTED")) {
      throw encrypted();
    }
    try {
      return Base64.getMimeDecoder().decode(body);
    } catch (IllegalArgumentException e) {
      throw new PemProblem("its " + type + " is not base64", e);
    }
  }

  static PemProblem encrypted() {
    return new PemProblem("is encrypted, which is not supported");
  }
}
