package io.lapwing.common.web.security;

import io.lapwing.common.config.TlsConfig.PemSource;
import io.lapwing.common.web.security.PemBlock.PemProblem;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A private key and its chain, the certificate first. */
public record Identity(List<X509Certificate> chain, PrivateKey key) {

  public Identity {
    chain = List.copyOf(chain);
  }

  /** Reads and checks both; empty after a problem. */
  public static Optional<Identity> read(
      PemSource certificate, PemSource key, List<String> problems) {
    List<X509Certificate> chain =
        read(certificate, PemBlock::certificates, problems).orElse(List.of());
    Optional<PrivateKey> secret = read(key, PrivateKeys::read, problems);
    if (chain.isEmpty() || secret.isEmpty()) {
      return Optional.empty();
    }
    if (!matches(secret.get(), chain.get(0).getPublicKey())) {
      problems.add(key.place() + ": does not match the certificate");
      return Optional.empty();
    }
    return Optional.of(new Identity(chain, secret.get()));
  }

  public interface Reader<T> {
    T read(String pem) throws PemProblem;
  }

  /** Reads one PEM source; empty after a problem. */
  public static <T> Optional<T> read(PemSource source, Reader<T> reader, List<String> problems) {
    String path = source.file().map(file -> file + " ").orElse("");
    try {
      return Optional.of(reader.read(source.read()));
    } catch (PemProblem problem) {
      problems.add(source.place() + ": " + path + problem.text());
    } catch (IOException e) {
      problems.add(source.place() + ": " + path + reason(e));
    }
    return Optional.empty();
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "does not exist";
    }
    return e instanceof AccessDeniedException
        ? "is unreadable: permission denied"
        : "is unreadable: " + e.getMessage();
  }

  /** Signs with the key and verifies with the certificate. */
  private static boolean matches(PrivateKey key, PublicKey certified) {
    try {
      byte[] text = "lapwing".getBytes(StandardCharsets.US_ASCII);
      Signature signing = Signature.getInstance(signature(key.getAlgorithm()));
      signing.initSign(key);
      signing.update(text);
      byte[] signature = signing.sign();
      Signature verifying = Signature.getInstance(signature(certified.getAlgorithm()));
      verifying.initVerify(certified);
      verifying.update(text);
      return verifying.verify(signature);
    } catch (GeneralSecurityException e) {
      // Different algorithms or key sizes.
      return false;
    }
  }

  private static String signature(String algorithm) {
    return switch (algorithm) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> algorithm;
    };
  }

  /** Presents this identity on both sides of a connection. */
  public X509ExtendedKeyManager keyManager() {
    return new KeyManager(this);
  }

  /** A single identity. A key store would cost 10 ms of encryption per change. */
  private static final class KeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "lapwing";

    private final Identity identity;

    KeyManager(Identity identity) {
      this.identity = identity;
    }

    private @Nullable String alias(@Nullable String keyType) {
      return identity.key().getAlgorithm().equals(keyType) ? ALIAS : null;
    }

    private String @Nullable [] aliases(@Nullable String keyType) {
      return alias(keyType) == null ? null : new String[] {ALIAS};
    }

    private @Nullable String firstOf(String @Nullable [] keyTypes) {
      if (keyTypes != null) {
        for (String keyType : keyTypes) {
          if (alias(keyType) != null) {
            return ALIAS;
          }
        }
      }
      return null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      return alias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, Socket socket) {
      return alias(keyType);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return aliases(keyType);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
      return firstOf(keyTypes);
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
      return firstOf(keyTypes);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return aliases(keyType);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return identity.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return identity.key();
    }
  }
}
