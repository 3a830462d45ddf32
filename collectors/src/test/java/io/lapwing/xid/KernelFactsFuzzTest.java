package io.lapwing.xid;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.xid.KernelFact.Xid;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class KernelFactsFuzzTest {

  private static final List<String> LINES =
      Stream.of(CorpusLines.XIDS, CorpusLines.SXIDS, CorpusLines.OTHERS)
          .flatMap(List::stream)
          .toList();

  private final KernelFacts facts = new KernelFacts(() -> Optional.of("580.95.05"));

  private static boolean startsAsADriversDo(String message) {
    return message.startsWith("NVRM: ") || message.matches("(?s)nvidia-[^ ]+: SXid \\(.*");
  }

  @Provide
  Arbitrary<String> mutated() {
    Arbitrary<String> piece =
        Arbitraries.of(
            ", ",
            ",",
            ":",
            "(",
            ")",
            "): ",
            "\n",
            "0x",
            "99999999999999999999",
            "-1",
            "pid=",
            "name=",
            "Link ",
            "Xid (PCI:0000:aa:00): 79, ",
            " caused by previous Xid ",
            "\u0000",
            "\uD800",
            "NVRM: ",
            "GPU-I:",
            "fallen off the bus",
            "(GPC 1, TPC 99999, SM 0)");
    return Combinators.combine(
            Arbitraries.of(LINES),
            Arbitraries.doubles().between(0, 1),
            Arbitraries.doubles().between(0, 1),
            piece)
        .as(KernelFactsFuzzTest::spliced);
  }

  /** A line with the text between two places replaced. */
  private static String spliced(String line, double one, double other, String piece) {
    int from = (int) (Math.min(one, other) * line.length());
    int to = (int) (Math.max(one, other) * line.length());
    return line.substring(0, from) + piece + line.substring(to);
  }

  @Property(tries = 3000)
  void aMutatedLineNeverThrowsAndNeverCountsWithoutTheDriverPrefix(
      @ForAll @From("mutated") String message) {
    Optional<KernelFact> fact = facts.read(message);
    assertThat(fact.isEmpty() || startsAsADriversDo(message)).as(message).isTrue();
  }

  @Property
  void anyBytesAreReadWithoutAnException(
      @ForAll byte[] bytes, @ForAll @From("mutated") String line) {
    String noise = new String(bytes, StandardCharsets.ISO_8859_1);
    assertThat(facts.read(noise).isEmpty() || startsAsADriversDo(noise)).isTrue();
    facts.read("NVRM: " + noise);
    facts.read("NVRM: Xid (PCI:0000:53:00): " + noise);
    facts.read("nvidia-nvswitch0: SXid (PCI:0000:53:00.0): " + noise);
    facts.read(line + noise);
  }

  @Property
  void anyTextAfterADetailsStartIsReadWithoutAnException(
      @ForAll String text, @ForAll @From("starts") String start) {
    KernelFact fact = facts.read(start + text).orElseThrow();
    assertThat(((Xid) fact).pci()).isEqualTo(new PciAddress(0, 0x53, 0));
  }

  @Provide
  Arbitrary<String> starts() {
    return Arbitraries.of(
            "13, Graphics SM Warp Exception on (GPC 1, ",
            "74, NVLink: fatal error detected on link 14(0x0, 0x0, ",
            "94, Contained: ",
            "95, Uncontained: LTC TAG (",
            "145, RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x0409a0c2 ",
            "149, NETIR Fatal ",
            "154, GPU recovery action changed from 0x0 (")
        .map(rest -> "NVRM: Xid (PCI:0000:53:00): " + rest);
  }

  @Property
  void aMessageWithoutADriversPrefixIsNotAFact(
      @ForAll String before, @ForAll @From("lines") String line) {
    String message = before + line;
    assertThat(facts.read(message).isEmpty() || startsAsADriversDo(message)).isTrue();
  }

  @Provide
  Arbitrary<String> lines() {
    return Arbitraries.of(LINES);
  }

  @Provide
  Arbitrary<String> nastyNames() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            ",",
            " ",
            ", ",
            ":",
            "[",
            "]",
            "(",
            ")",
            "): ",
            "=",
            "'",
            "\\",
            "\n",
            "\t",
            "a",
            "Z",
            "9",
            "Xid",
            "PCI:",
            "pid=",
            "pid=1, ",
            "name=",
            "Ch ",
            "Ch 1, ",
            "NVRM: ",
            ": 79, ",
            ", Xid (PCI:00",
            "<unknown>",
            "\u00e9",
            "\u0001",
            "GPU-I:01",
            "Contained: ");
    return pieces
        .list()
        .ofMaxSize(8)
        .map(all -> String.join("", all))
        .map(name -> name.substring(0, Math.min(name.length(), 15)))
        .filter(name -> !name.isEmpty() && !name.equals("<unknown>"));
  }

  private static String named(String name, String message) {
    return "NVRM: Xid (PCI:0000:53:00 GPU-I:05): 43, pid=7194, name=" + name + ", " + message;
  }

  @Property(tries = 3000)
  void aProcessCannotNameItselfIntoAnotherXid(
      @ForAll @From("nastyNames") String name, @ForAll String message) {
    Xid xid = (Xid) facts.read(named(name, message)).orElseThrow();
    assertThat(xid.pci()).isEqualTo(new PciAddress(0, 0x53, 0));
    assertThat(xid.gpuInstance()).isEqualTo(OptionalInt.of(5));
    assertThat(xid.computeInstance()).isEmpty();
    assertThat(xid.number()).isEqualTo(43);
    assertThat(xid.pid()).hasValue(7194);
  }

  @Property(tries = 3000)
  void aNameOfTheKernelsLengthIsFoundWholeBeforeAMessageThatIsKnown(
      @ForAll @From("nastyNames") String name) {
    Xid xid =
        (Xid) facts.read(named(name, "Timeout after 6s of waiting, for nothing")).orElseThrow();
    assertThat(xid.process()).contains(name);
    assertThat(xid.message()).isEqualTo("Timeout after 6s of waiting, for nothing");
  }

  @Property(tries = 200)
  void aLineOfAnyLengthIsReadInOnePass(@ForAll @From("nastyNames") String name) {
    String endless = name.repeat(4000);
    assertThat(facts.read(named(endless, "Ch 00000008"))).isPresent();
    assertThat(facts.read("NVRM: Xid (PCI:0000:53:00): 149, NETIR " + endless)).isPresent();
    assertThat(facts.read("NVRM: Xid (PCI:0000:53:00): 74, link 1(" + endless)).isPresent();
    assertThat(facts.read("NVRM: Xid (" + endless)).isEmpty();
  }
}
