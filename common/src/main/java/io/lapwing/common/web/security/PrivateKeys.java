package io.lapwing.common.web.security;

import io.lapwing.common.web.security.PemBlock.PemProblem;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.List;

/**
 * Private keys in PEM: PKCS#8, PKCS#1 ({@code RSA}) and SEC 1 ({@code EC}). Java reads only PKCS#8;
 * others are converted.
 */
final class PrivateKeys {
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");
  private static final byte[] VERSION_0 = {0};

  /** 1.2.840.113549.1.1.1. */
  private static final byte[] RSA = {
    0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 1, 1, 1
  };

  /** 1.2.840.10045.2.1. */
  private static final byte[] EC = {0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};

  private PrivateKeys() {}

  static PrivateKey read(String pem) throws PemProblem {
    for (PemBlock block : PemBlock.all(pem)) {
      switch (block.type()) {
        case "PRIVATE KEY" -> {
          return key(block.der());
        }
        case "RSA PRIVATE KEY" -> {
          byte[] algorithm = Der.of(Der.SEQUENCE, Der.of(Der.OID, RSA), Der.of(Der.NULL));
          return key(pkcs8(algorithm, block.der()));
        }
        case "EC PRIVATE KEY" -> {
          return key(ecPkcs8(block.der()));
        }
        case "ENCRYPTED PRIVATE KEY" -> throw PemBlock.encrypted();
        default -> {
          // A certificate or EC PARAMETERS in the same file.
        }
      }
    }
    throw new PemProblem("has no private key in PEM form");
  }

  private static PrivateKey key(byte[] pkcs8) throws PemProblem {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException e) {
        // Not a key of this algorithm; try the next.
      } catch (GeneralSecurityException e) {
        // This Java lacks the algorithm.
      }
    }
    throw new PemProblem("is not a supported private key (RSA, ECDSA, Ed25519)");
  }

  private static byte[] pkcs8(byte[] algorithm, byte[] key) {
    return Der.of(Der.SEQUENCE, Der.of(Der.INTEGER, VERSION_0), algorithm, Der.of(Der.OCTETS, key));
  }

  /** SEC 1 is {@code SEQUENCE {version, key, [0] curve, [1] public key}}. */
  private static byte[] ecPkcs8(byte[] sec1) throws PemProblem {
    Der key = new Der(new Der(sec1).next());
    while (key.hasMore()) {
      boolean curve = key.nextTag() == Der.CONTEXT_0;
      byte[] content = key.next();
      if (curve) {
        return pkcs8(Der.of(Der.SEQUENCE, Der.of(Der.OID, EC), content), sec1);
      }
    }
    throw new PemProblem("does not name its curve");
  }

  /** The subset of DER needed to convert PKCS#1 and SEC 1 private keys to PKCS#8. */
  static final class Der {
    static final int INTEGER = 0x02;
    static final int OCTETS = 0x04;
    static final int NULL = 0x05;
    static final int OID = 0x06;
    static final int SEQUENCE = 0x30;
    static final int CONTEXT_0 = 0xA0;

    private final byte[] bytes;
    private int at;

    Der(byte[] bytes) {
      this.bytes = bytes;
    }

    boolean hasMore() {
      return at < bytes.length;
    }

    int nextTag() throws PemProblem {
      need(1);
      return bytes[at] & 0xFF;
    }

    byte[] next() throws PemProblem {
      need(2);
      at++;
      int length = bytes[at++] & 0xFF;
      if (length >= 0x80) {
        int count = length & 0x7F;
        if (count == 0 || count > 3) {
          throw new PemProblem("is not a DER-encoded key");
        }
        need(count);
        length = 0;
        for (int i = 0; i < count; i++) {
          length = (length << 8) | (bytes[at++] & 0xFF);
        }
      }
      need(length);
      byte[] content = Arrays.copyOfRange(bytes, at, at + length);
      at += length;
      return content;
    }

    private void need(int count) throws PemProblem {
      if (bytes.length - at < count) {
        throw new PemProblem("is truncated");
      }
    }

    static byte[] of(int tag, byte[]... parts) {
      int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
      ByteArrayOutputStream out = new ByteArrayOutputStream(length + 5);
      out.write(tag);
      if (length < 0x80) {
        out.write(length);
      } else {
        int count = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
        out.write(0x80 | count);
        for (int i = count - 1; i >= 0; i--) {
          out.write(length >> (8 * i));
        }
      }
      for (byte[] part : parts) {
        out.writeBytes(part);
      }
      return out.toByteArray();
    }
  }
}
