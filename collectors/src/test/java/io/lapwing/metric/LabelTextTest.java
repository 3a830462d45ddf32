package io.lapwing.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LabelTextTest {

  @Test
  void labelsAreCleanAndShort() {
    assertThat(LabelText.clean("a\nb\u0000c\u009b\u2028d\ud800")).isEqualTo("abcd");
    assertThat(LabelText.clean("grün")).isEqualTo("grün");
    assertThat(LabelText.clean("x".repeat(1_000_000))).hasSize(LabelText.MOST);
  }

  @Property
  void anyLabelIsCleanAndCleanOnesStay(@ForAll String text) {
    String clean = LabelText.clean(text);
    assertThat(clean.length()).isLessThanOrEqualTo(LabelText.MOST);
    assertThat(LabelText.clean(clean)).isEqualTo(clean);
    assertThat(new String(clean.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .isEqualTo(clean);
  }
}
