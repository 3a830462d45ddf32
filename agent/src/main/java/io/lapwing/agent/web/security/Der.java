package io.lapwing.agent.web.security;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** The subset of DER needed to convert PKCS#1 and SEC 1 private keys to PKCS#8. */
final class Der {
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

  /** The content of the next element. */
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

  /** Encodes an element. */
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
