package io.lapwing.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;

/** Native memory for out-parameters, allocated once and reused. Not thread-safe. */
final class Out {

  private final Memory memory;
  private final Pointer second;

  Out(int bytes) {
    memory = new Memory(bytes);
    memory.clear();
    second = memory.share(Long.BYTES);
  }

  Pointer start() {
    return memory;
  }

  /** A second out-parameter, eight bytes behind the first. */
  Pointer second() {
    return second;
  }

  /** Zeroed, with the version word at the start of a versioned struct. */
  Pointer struct(int size, int version) {
    memory.clear(size);
    memory.setInt(0, NvmlStructs.versionWord(size, version));
    return memory;
  }

  int int32() {
    return memory.getInt(0);
  }

  int int32(int offset) {
    return memory.getInt(offset);
  }

  int secondInt32() {
    return memory.getInt(Long.BYTES);
  }

  long int64() {
    return memory.getLong(0);
  }

  long int64(int offset) {
    return memory.getLong(offset);
  }

  /** A handle. */
  Pointer pointer() {
    return memory.getPointer(0);
  }

  int byteAt(int offset) {
    return Byte.toUnsignedInt(memory.getByte(offset));
  }

  byte[] bytes(int offset, int length) {
    return memory.getByteArray(offset, length);
  }

  /** A NUL-terminated string, truncated at the end of the memory. */
  String string() {
    return string(0, (int) memory.size());
  }

  String string(int offset, int most) {
    byte[] bytes = memory.getByteArray(offset, most);
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8).strip();
  }
}
