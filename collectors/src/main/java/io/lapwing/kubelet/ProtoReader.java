package io.lapwing.kubelet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A streaming protocol buffers reader in constant memory. Unknown fields are skipped. */
final class ProtoReader {

  static final int END = 0;

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED32 = 5;
  private static final int MAX_VARINT_BITS = 64;

  private final InputStream in;
  private long at;
  private long end;
  private int wireType;

  interface Part {
    void read(ProtoReader message) throws IOException;
  }

  /** The length is the message's, in bytes. */
  ProtoReader(InputStream in, long length) {
    this.in = in;
    this.end = length;
  }

  /** The number of the next field; {@link #END} after the last one of this message. */
  int field() throws IOException {
    if (at == end) {
      return END;
    }
    long tag = varint();
    wireType = (int) (tag & 7);
    long field = tag >>> 3;
    if (field < 1 || field > (1 << 29) - 1) {
      throw new CallFailure(CallFailure.MALFORMED);
    }
    return (int) field;
  }

  /** Keeps at most so many bytes; the rest is skipped. */
  String text(int most) throws IOException {
    long length = length();
    byte[] bytes = in.readNBytes((int) Math.min(length, most));
    at += bytes.length;
    if (bytes.length < Math.min(length, most)) {
      throw new CallFailure(CallFailure.CLOSED);
    }
    skip(length - bytes.length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  void message(Part part) throws IOException {
    long length = length();
    long outerEnd = end;
    end = at + length;
    part.read(this);
    if (at != end) {
      throw new CallFailure(CallFailure.MALFORMED);
    }
    end = outerEnd;
  }

  void skip() throws IOException {
    switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> skip(room(Long.BYTES));
      case FIXED32 -> skip(room(Integer.BYTES));
      default -> skip(length());
    }
  }

  private long length() throws IOException {
    if (wireType != LENGTH) {
      throw new CallFailure(CallFailure.MALFORMED);
    }
    return room(varint());
  }

  private long room(long length) throws CallFailure {
    if (length < 0 || length > end - at) {
      throw new CallFailure(CallFailure.MALFORMED);
    }
    return length;
  }

  private void skip(long bytes) throws IOException {
    for (long left = bytes; left > 0; left--) {
      octet();
    }
  }

  private long varint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < MAX_VARINT_BITS; shift += 7) {
      int octet = octet();
      value |= (long) (octet & 0x7f) << shift;
      if (octet < 0x80) {
        return value;
      }
    }
    throw new CallFailure(CallFailure.MALFORMED);
  }

  private int octet() throws IOException {
    if (at == end) {
      throw new CallFailure(CallFailure.MALFORMED);
    }
    int octet = in.read();
    if (octet < 0) {
      throw new CallFailure(CallFailure.CLOSED);
    }
    at++;
    return octet;
  }
}
