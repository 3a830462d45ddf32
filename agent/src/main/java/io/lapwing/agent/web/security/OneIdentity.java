package io.lapwing.agent.web.security;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A key manager with a single identity. A key store would work too, but costs 10 ms of encryption
 * per change.
 */
public final class OneIdentity extends X509ExtendedKeyManager {
  private static final String ALIAS = "lapwing";

  private final Identity identity;

  public OneIdentity(Identity identity) {
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
