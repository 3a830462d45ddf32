package io.lapwing.dcgm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DcgmViolationsTest {

  /** A callback is handed whatever the library has there. */
  @Test
  void aGpuOrAConditionThatDcgmCannotHaveIsNotCounted() {
    DcgmViolations violations = new DcgmViolations();
    violations.add(-1, 1);
    violations.add(32, 1);
    violations.add(31, 3);
    violations.add(31, 0x80);
    violations.add(31, 0x40);
    for (DcgmPolicyCondition condition : DcgmPolicyCondition.values()) {
      assertThat(violations.count(31, condition))
          .isEqualTo(condition == DcgmPolicyCondition.XID ? 1 : 0);
      assertThat(violations.count(32, condition)).isZero();
    }
  }
}
