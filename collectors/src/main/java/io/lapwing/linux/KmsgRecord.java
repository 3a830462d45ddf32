package io.lapwing.linux;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One record of /dev/kmsg, its lines unescaped and joined by {@code \n}.
 *
 * <pre>
 * 4,12345,98765432101,-;NVRM: Xid (PCI:0000:53:00): 79, name=\x22x\x22, GPU has fallen off the bus.
 *  SUBSYSTEM=pci
 *  DEVICE=+pci:0000:53:00.0
 * </pre>
 *
 * <p>Lines {@code KEY=value} after a space are the record's dictionary. A fragment of a line (flags
 * {@code c} and {@code +}) is a separate record: its continuation may never come, and NVIDIA's
 * drivers write whole lines. The priority is facility times 8 plus level.
 */
record KmsgRecord(long priority, long sequence, long usec, String text) {

  /** Parses the bytes of one read of the device; empty if they are not a record. */
  static Optional<KmsgRecord> parse(byte[] bytes) {
    return parse(bytes, 0, bytes.length);
  }

  static Optional<KmsgRecord> parse(byte[] bytes, int from, int to) {
    return KmsgHeader.parse(bytes, from, to).map(header -> of(header, bytes, to));
  }

  static KmsgRecord of(KmsgHeader header, byte[] bytes, int to) {
    return new KmsgRecord(
        header.priority(), header.sequence(), header.usec(), text(bytes, header.text(), to));
  }

  /** As a kernel message; empty if user space wrote it. */
  Optional<KernelRecord> ofKernel(Optional<Instant> boot) {
    return ofKernel()
        ? Optional.of(
            new KernelRecord(
                OptionalLong.of(sequence),
                boot.map(booted -> booted.plus(usec, ChronoUnit.MICROS)),
                text))
        : Optional.empty();
  }

  boolean ofKernel() {
    return priority >> 3 == 0;
  }

  private static String text(byte[] bytes, int from, int to) {
    ByteBuffer text = ByteBuffer.allocate(to - from);
    int end = lineEnd(bytes, from, to);
    unescape(bytes, from, end, text);
    for (int line = end + 1; line < to; line = end + 1) {
      end = lineEnd(bytes, line, to);
      if (bytes[line] == ' ' && !dictionary(bytes, line + 1, end)) {
        text.put((byte) '\n');
        unescape(bytes, line + 1, end, text);
      }
    }
    return new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
  }

  private static int lineEnd(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  private static boolean dictionary(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && key(bytes[at], at == from)) {
      at++;
    }
    return at > from && at < end && bytes[at] == '=';
  }

  private static boolean key(byte letter, boolean first) {
    return (letter >= 'A' && letter <= 'Z')
        || (!first && (letter == '_' || (letter >= '0' && letter <= '9')));
  }

  /** The kernel writes {@code \x0a} for every byte that is not printable, and for the backslash. */
  private static void unescape(byte[] bytes, int from, int end, ByteBuffer to) {
    for (int at = from; at < end; at++) {
      if (escape(bytes, at, end)) {
        to.put((byte) (hex(bytes[at + 2]) << 4 | hex(bytes[at + 3])));
        at += 3;
      } else {
        to.put(bytes[at]);
      }
    }
  }

  private static boolean escape(byte[] bytes, int at, int end) {
    return at + 3 < end
        && bytes[at] == '\\'
        && bytes[at + 1] == 'x'
        && hex(bytes[at + 2]) >= 0
        && hex(bytes[at + 3]) >= 0;
  }

  private static int hex(byte digit) {
    return Character.digit(digit, 16);
  }

  /** {@code 4,12345,98765432101,-,caller=T1;}, with the offset of the text. */
  record KmsgHeader(long priority, long sequence, long usec, int text) {

    /** More digits may not fit into a long. */
    private static final int MAX_DIGITS = 18;

    /** Empty if the bytes are not a record. */
    static Optional<KmsgHeader> parse(byte[] bytes, int from, int to) {
      int priority = digits(bytes, from, to);
      int sequence = digits(bytes, priority + 1, to);
      int usec = digits(bytes, sequence + 1, to);
      if (!(number(bytes, from, priority, to)
          && number(bytes, priority + 1, sequence, to)
          && number(bytes, sequence + 1, usec, to))) {
        return Optional.empty();
      }
      int text = usec;
      while (text < to && bytes[text] != ';' && bytes[text] != '\n') {
        text++;
      }
      return text < to && bytes[text] == ';' && bytes[priority] == ',' && bytes[sequence] == ','
          ? Optional.of(
              new KmsgHeader(
                  value(bytes, from, priority),
                  value(bytes, priority + 1, sequence),
                  value(bytes, sequence + 1, usec),
                  text + 1))
          : Optional.empty();
    }

    /** The facility is 0, which only the kernel can write; even root cannot. */
    boolean ofKernel() {
      return priority >> 3 == 0;
    }

    private static int digits(byte[] bytes, int from, int to) {
      int at = from;
      while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
        at++;
      }
      return at;
    }

    private static boolean number(byte[] bytes, int from, int end, int to) {
      return end > from && end - from <= MAX_DIGITS && end < to && ",;".indexOf(bytes[end]) >= 0;
    }

    private static long value(byte[] bytes, int from, int end) {
      long value = 0;
      for (int at = from; at < end; at++) {
        value = 10 * value + bytes[at] - '0';
      }
      return value;
    }
  }
}
