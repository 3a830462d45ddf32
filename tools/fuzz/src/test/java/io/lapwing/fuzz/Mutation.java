package io.lapwing.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Changes inputs that make sense into ones that nearly do. The same seed makes the same ones. */
final class Mutation {

  private static final int MOST_BYTES = 64 << 10;

  private static final List<String> ODD =
      List.of(
          "0",
          "-1",
          "18446744073709551615",
          "18446744073709551616",
          "9223372036854775807",
          "99999999999999999999999999",
          "1e999",
          "NaN",
          "2147483648",
          "0x",
          "\u0000",
          "\u00ff\u00fe",
          "\u00ed\u00a0\u0080",
          "\n",
          "\r\n",
          "\"",
          "\\",
          "{",
          "[",
          "(",
          ": ",
          ", ",
          "%s",
          "\u001b[31m");

  private final Random random;
  private final List<byte[]> inputs;

  Mutation(long seed, List<byte[]> inputs) {
    this.random = new Random(seed);
    this.inputs = inputs;
  }

  byte[] next() {
    byte[] input = inputs.get(random.nextInt(inputs.size()));
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      input = changed(input);
    }
    return input.length > MOST_BYTES ? Arrays.copyOf(input, MOST_BYTES) : input;
  }

  private byte[] changed(byte[] input) {
    int from = random.nextInt(input.length + 1);
    int to = from + random.nextInt(Math.min(input.length - from, 64) + 1);
    return switch (random.nextInt(8)) {
      case 0 -> flipped(input);
      case 1 -> put(input, from, to, new byte[0]);
      case 2 -> put(input, from, to, odd());
      case 3 -> put(input, from, from, odd());
      case 4 -> Arrays.copyOf(input, from);
      case 5 -> put(input, from, from, part());
      case 6 -> number(input);
      default -> put(input, from, to, repeated(Arrays.copyOfRange(input, from, to)));
    };
  }

  private byte[] flipped(byte[] input) {
    byte[] flipped = input.clone();
    for (int i = 0; i < 3 && flipped.length > 0; i++) {
      flipped[random.nextInt(flipped.length)] = (byte) random.nextInt(256);
    }
    return flipped;
  }

  private byte[] odd() {
    return ODD.get(random.nextInt(ODD.size())).getBytes(ISO_8859_1);
  }

  private byte[] part() {
    byte[] other = inputs.get(random.nextInt(inputs.size()));
    int from = random.nextInt(other.length + 1);
    return Arrays.copyOfRange(other, from, from + random.nextInt(other.length - from + 1));
  }

  /** Sometimes up to the limit, to find deep recursion and quadratic time. */
  private byte[] repeated(byte[] piece) {
    boolean full = random.nextInt(4) == 0;
    byte[] one = full ? Arrays.copyOf(piece, Math.min(piece.length, 1 + random.nextInt(6))) : piece;
    int times = full ? MOST_BYTES / Math.max(1, one.length) : 1 + random.nextInt(30);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < times; i++) {
      all.writeBytes(one);
    }
    return all.toByteArray();
  }

  /** The first number behind some place becomes another. */
  private byte[] number(byte[] input) {
    int from = random.nextInt(input.length + 1);
    while (from < input.length && !digit(input[from])) {
      from++;
    }
    int to = from;
    while (to < input.length && digit(input[to])) {
      to++;
    }
    return put(input, from, to, odd());
  }

  private static boolean digit(byte one) {
    return one >= '0' && one <= '9';
  }

  private static byte[] put(byte[] input, int from, int to, byte[] piece) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(input, 0, from);
    all.writeBytes(piece);
    all.write(input, to, input.length - to);
    return all.toByteArray();
  }
}
