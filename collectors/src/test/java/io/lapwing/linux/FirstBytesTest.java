package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class FirstBytesTest {

  @Property
  void areAllOfAFileUpToTheLimitHoweverItComes(
      @ForAll @Size(max = 300) byte[] content,
      @ForAll @IntRange(min = 1, max = 64) int usual,
      @ForAll @IntRange(min = 1, max = 256) int most,
      @ForAll @IntRange(min = 1, max = 40) int atOnce)
      throws IOException {
    assertThat(FirstBytes.of(slow(content, atOnce), usual, most))
        .isEqualTo(Arrays.copyOf(content, Math.min(content.length, most)));
  }

  /** The kernel gives what it has, which may be less than was asked for. */
  private static InputStream slow(byte[] content, int atOnce) {
    return new ByteArrayInputStream(content) {
      @Override
      public synchronized int read(byte[] into, int from, int length) {
        return super.read(into, from, Math.min(length, atOnce));
      }
    };
  }
}
