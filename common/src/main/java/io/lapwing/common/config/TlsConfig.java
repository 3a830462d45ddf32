package io.lapwing.common.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * TLS settings of the server. The file uses the names of Go's {@code crypto/tls}.
 *
 * @param certificate the server certificate and its chain
 * @param clientCa issuers of accepted client certificates; empty for Java's default trust store
 * @param allowedSans a client certificate must have one of these names; empty for any name
 * @param cipherSuites of TLS 1.2, in order of preference; empty for Java's
 * @param serverPrefers whether the server's order of cipher suites has precedence
 * @param curves key exchange groups in order of preference; empty for Java's
 */
public record TlsConfig(
    PemSource certificate,
    PemSource key,
    Optional<PemSource> clientCa,
    ClientAuth clientAuth,
    List<String> allowedSans,
    Version min,
    Version max,
    List<String> cipherSuites,
    boolean serverPrefers,
    List<Curve> curves) {

  public TlsConfig {
    allowedSans = List.copyOf(allowedSans);
    cipherSuites = List.copyOf(cipherSuites);
    curves = List.copyOf(curves);
  }

  /** Whether a client certificate is requested, required and verified. */
  public enum ClientAuth {
    NONE(false, false, false),
    REQUEST(true, false, false),
    REQUIRE_ANY(true, true, false),
    VERIFY_IF_GIVEN(true, false, true),
    REQUIRE_AND_VERIFY(true, true, true);

    private final boolean requested;
    private final boolean required;
    private final boolean verified;

    ClientAuth(boolean requested, boolean required, boolean verified) {
      this.requested = requested;
      this.required = required;
      this.verified = verified;
    }

    public boolean requested() {
      return requested;
    }

    public boolean required() {
      return required;
    }

    /** Whether a trusted authority must have issued the certificate. */
    public boolean verified() {
      return verified;
    }
  }

  public enum Version {
    TLS10("TLSv1"),
    TLS11("TLSv1.1"),
    TLS12("TLSv1.2"),
    TLS13("TLSv1.3");

    private final String java;

    Version(String java) {
      this.java = java;
    }

    public String java() {
      return java;
    }
  }

  public enum Curve {
    P256("CurveP256", "secp256r1"),
    P384("CurveP384", "secp384r1"),
    P521("CurveP521", "secp521r1"),
    X25519("X25519", "x25519");

    private final String go;
    private final String java;

    Curve(String go, String java) {
      this.go = go;
      this.java = java;
    }

    public String go() {
      return go;
    }

    public String java() {
      return java;
    }
  }

  /** PEM text with certificates or a key: inline or in a file. */
  public sealed interface PemSource {

    /** The start of an error line: file, line and key. */
    String place();

    String read() throws IOException;

    /** Empty if inline. */
    default Optional<Path> file() {
      return this instanceof InFile inFile ? Optional.of(inFile.path()) : Optional.empty();
    }

    record InFile(String place, Path path) implements PemSource {

      /** Decodes any bytes: the caller rejects what is not PEM. */
      @Override
      public String read() throws IOException {
        return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
      }
    }

    /** Inside the configuration file. */
    record Inline(String place, String text) implements PemSource {

      @Override
      public String read() {
        return text;
      }

      /** Omits the text, which may be a private key. */
      @Override
      public String toString() {
        return "Inline[" + place + "]";
      }
    }
  }
}
