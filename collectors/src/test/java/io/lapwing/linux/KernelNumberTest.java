package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelNumberTest {

  private static final BigInteger BEYOND = BigInteger.ONE.shiftLeft(Long.SIZE);

  private static OptionalDouble parse(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return KernelNumber.unsigned(bytes, bytes.length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "  ",
        "-1",
        "+1",
        "1 2",
        "1\n2",
        "1.0",
        "1e3",
        "0x10",
        "N/A (no PMA)",
        "١",
        "12a",
        "18446744073709551616",
        "99999999999999999999",
        "184467440737095516150"
      })
  void anythingButANumberOf64BitsIsEmpty(String text) {
    assertThat(parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "7\n", " 7 \n", "007", "7\n\n\n"})
  void whiteSpaceAroundAndZerosBeforeDoNotMatter(String text) {
    assertThat(parse(text)).hasValue(7);
  }

  @Property
  void everyUnsignedNumberIsTheNearestDouble(@ForAll long bits) {
    BigInteger number = new BigInteger(Long.toUnsignedString(bits));
    assertThat(parse(number + "\n")).hasValue(number.doubleValue());
  }

  @Property
  void anyDigitsAreThatNumberOrEmpty(
      @ForAll @CharRange(from = '0', to = '9') @StringLength(min = 1, max = 25) String digits) {
    BigInteger number = new BigInteger(digits);
    assertThat(parse(digits))
        .isEqualTo(
            number.compareTo(BEYOND) < 0
                ? OptionalDouble.of(number.doubleValue())
                : OptionalDouble.empty());
  }

  @Property
  void garbageIsEmptyNotAnError(@ForAll byte[] bytes) {
    OptionalDouble number = KernelNumber.unsigned(bytes, bytes.length);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    assertThat(number.isPresent())
        .isEqualTo(
            text.matches("[ \t\r\n]*0*[0-9]{1,20}[ \t\r\n]*")
                && new BigInteger(text.strip()).compareTo(BEYOND) < 0);
  }

  @Test
  void aTextIsParsedWithoutWhiteSpace() {
    assertThat(KernelNumber.unsigned("18446744073709551615")).hasValue(0x1p64);
    assertThat(KernelNumber.unsigned(" 1")).isEmpty();
    assertThat(KernelNumber.unsigned("\u0661")).isEmpty();
    assertThat(KernelNumber.bits("18446744073709551615")).hasValue(-1L);
    assertThat(KernelNumber.signed("9223372036854775807")).hasValue(Long.MAX_VALUE);
    assertThat(KernelNumber.signed("9223372036854775808")).isEmpty();
  }

  @Test
  void aDecimalNumberMayHaveAFraction() {
    assertThat(KernelNumber.decimal("1690000000.125")).hasValue(1690000000.125);
    assertThat(KernelNumber.decimal("12")).hasValue(12);
    for (String malformed : new String[] {"", ".", "1.", ".5", "1.5.2", "-1.5", "1e3"}) {
      assertThat(KernelNumber.decimal(malformed)).as(malformed).isEmpty();
    }
  }
}
