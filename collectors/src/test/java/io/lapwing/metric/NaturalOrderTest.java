package io.lapwing.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class NaturalOrderTest {

  @Test
  void numbersAreOrderedByValue() {
    List<String> names =
        List.of(
            "", "ens5", "nvme2n1", "nvme10n1", "rdmap2s0", "rdmap10s0", "rdmap10s1", "rdmap100s0");
    List<String> shuffled = new ArrayList<>(names);
    Collections.reverse(shuffled);

    shuffled.sort(NaturalOrder.OF_NAMES);

    assertThat(shuffled).isEqualTo(names);
  }

  /** Otherwise a map of devices would lose one of them. */
  @Test
  void differentNamesAreNeverEqual() {
    assertThat(NaturalOrder.OF_NAMES.compare("mlx5_01", "mlx5_1")).isNotZero();
    assertThat(NaturalOrder.OF_NAMES.compare("a99999999999999999999", "a99999999999999999998"))
        .isPositive();
  }

  @Property
  void theOrderIsConsistent(
      @ForAll @CharRange(from = '/', to = '2') @StringLength(max = 5) String a,
      @ForAll @CharRange(from = '/', to = '2') @StringLength(max = 5) String b,
      @ForAll @CharRange(from = '/', to = '2') @StringLength(max = 5) String c) {
    int ab = NaturalOrder.OF_NAMES.compare(a, b);

    assertThat(Integer.signum(ab)).isEqualTo(-Integer.signum(NaturalOrder.OF_NAMES.compare(b, a)));
    assertThat(ab == 0).isEqualTo(a.equals(b));
    if (ab < 0 && NaturalOrder.OF_NAMES.compare(b, c) < 0) {
      assertThat(NaturalOrder.OF_NAMES.compare(a, c)).isNegative();
    }
  }
}
