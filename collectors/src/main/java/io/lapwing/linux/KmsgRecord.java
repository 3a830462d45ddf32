package io.lapwing.linux;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One record of /dev/kmsg.
 *
 * <pre>
 * 4,12345,98765432101,-;NVRM: Xid (PCI:0000:53:00): 79, name=\x22x\x22, GPU has fallen off the bus.
 *  SUBSYSTEM=pci
 *  DEVICE=+pci:0000:53:00.0
 * </pre>
 *
 * <p>Lines of the form {@code KEY=value} after a space are the record's dictionary, not text. A
 * fragment of a line (flags {@code c} and {@code +}) is a separate record: its continuation may
 * never come, and NVIDIA's drivers write whole lines.
 *
 * @param priority facility times 8 plus level
 * @param usec since boot
 * @param text its lines, unescaped and joined by {@code \n}
 */
public record KmsgRecord(long priority, long sequence, long usec, String text) {

  /** Parses the bytes of one read of the device; empty if they are not a record. */
  public static Optional<KmsgRecord> parse(byte[] bytes) {
    return parse(bytes, 0, bytes.length);
  }

  static Optional<KmsgRecord> parse(byte[] bytes, int from, int to) {
    return KmsgHeader.parse(bytes, from, to).map(header -> of(header, bytes, to));
  }

  /** Parses the rest of a record. */
  static KmsgRecord of(KmsgHeader header, byte[] bytes, int to) {
    return new KmsgRecord(
        header.priority(), header.sequence(), header.usec(), text(bytes, header.text(), to));
  }

  /**
   * As a kernel message; empty if user space wrote it.
   *
   * @param boot when the machine was booted, if known
   */
  public Optional<KernelRecord> ofKernel(Optional<Instant> boot) {
    return priority >> 3 == 0
        ? Optional.of(
            new KernelRecord(
                OptionalLong.of(sequence),
                boot.map(booted -> booted.plus(usec, ChronoUnit.MICROS)),
                text))
        : Optional.empty();
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
}
