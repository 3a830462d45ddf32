package io.lapwing.xid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          python3, Ch 00000008                          | python3          | Ch 00000008
          nvc:[driver], Timeout after 6s                | nvc:[driver]     | Timeout after 6s
          ray::WorkerDict, RLW_RXPIPE Nonfatal XC0      | ray::WorkerDict  | RLW_RXPIPE Nonfatal XC0
          a,b, Ch 00000008                              | a,b              | Ch 00000008
          a, b, Ch 00000008                             | a, b             | Ch 00000008
          a, Ch 1, Ch 00000008                          | a, Ch 1          | Ch 00000008
          x, Contained:, Uncontained: LTC TAG           | x, Contained:    | Uncontained: LTC TAG
          ,, Ch 00000008                                | ,                | Ch 00000008
          sh, Ch 00000007, intr 00000000. MMU Fault     | sh               | Ch 00000007, intr 00000000. MMU Fault
          python3, something, nobody knows              | python3          | something, nobody knows
          ), Xid (PCI:0, Ch 00000008                    | ), Xid (PCI:0    | Ch 00000008
          a name of more than fifteen, Ch 00000008, x   | a name of more than fifteen | Ch 00000008, x
          """)
  void theNameEndsWhereTheMessageIsKnownToStart(String text, String name, String message) {
    assertThat(XidLine.ProcessText.split(text))
        .isEqualTo(new XidLine.ProcessText(Optional.of(name), message));
  }

  @ParameterizedTest
  @ValueSource(strings = {"python3", "python3, ", "python3,"})
  void aMessageMayBeEmpty(String text) {
    assertThat(XidLine.ProcessText.split(text))
        .isEqualTo(new XidLine.ProcessText(Optional.of("python3"), ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"<unknown>, Ch 00000008", ", Ch 00000008"})
  void aNameMayBeUnknown(String text) {
    assertThat(XidLine.ProcessText.split(text))
        .isEqualTo(new XidLine.ProcessText(Optional.empty(), "Ch 00000008"));
  }
}
