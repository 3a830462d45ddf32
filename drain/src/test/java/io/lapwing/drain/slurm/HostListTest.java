package io.lapwing.drain.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.drain.cluster.NodeName;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.StringLength;

class HostListTest {

  private static List<String> expand(String text) throws UnreadableAnswer {
    return HostList.expand(text).stream().map(NodeName::text).toList();
  }

  /** A list, and what it stands for, made apart from each other. */
  record Case(String text, List<String> names) {}

  @Provide
  Arbitrary<Case> lists() {
    Arbitrary<String> prefix =
        Arbitraries.strings()
            .withCharRange('a', 'z')
            .withChars('-')
            .ofMinLength(1)
            .ofMaxLength(5)
            .map(text -> "n" + text);
    Arbitrary<Case> range =
        Combinators.combine(
                prefix,
                Arbitraries.integers().between(0, 998),
                Arbitraries.integers().between(0, 20),
                Arbitraries.integers().between(1, 4))
            .as(HostListTest::range);
    Arbitrary<Case> plain = prefix.map(name -> new Case(name, List.of(name)));
    return Arbitraries.oneOf(range, plain).list().ofMinSize(1).ofMaxSize(6).map(HostListTest::join);
  }

  private static Case range(String prefix, int from, int more, int width) {
    String format = "%0" + width + "d";
    List<String> names = new ArrayList<>();
    for (int i = from; i <= from + more; i++) {
      names.add(prefix + format.formatted(i));
    }
    String first = format.formatted(from);
    String last = format.formatted(from + more);
    return new Case(prefix + "[" + (more == 0 ? first : first + "-" + last) + "]", names);
  }

  private static Case join(List<Case> cases) {
    return new Case(
        String.join(",", cases.stream().map(Case::text).toList()),
        cases.stream().flatMap(one -> one.names().stream()).toList());
  }

  @Property
  void aListExpandsToItsNames(@ForAll("lists") Case list) throws UnreadableAnswer {
    assertThat(expand(list.text())).isEqualTo(list.names());
  }

  @Property
  void anyTextIsAListOrAnError(@ForAll @StringLength(max = 40) String text) {
    onlyNamesOrAnError(text);
  }

  @Provide
  Arbitrary<String> almostLists() {
    return Arbitraries.strings().withChars("ab019-,[]:.").ofMaxLength(24);
  }

  @Property
  void almostAListIsAListOrAnError(@ForAll("almostLists") String text) {
    onlyNamesOrAnError(text);
  }

  private static void onlyNamesOrAnError(String text) {
    try {
      assertThat(HostList.expand(text)).isNotEmpty();
    } catch (UnreadableAnswer e) {
      assertThat(e.why()).isNotEmpty();
    }
  }

  @Example
  void severalBracketsAreEachWithEach() throws UnreadableAnswer {
    assertThat(expand("r[1-2]n[08-09,11]x"))
        .containsExactly("r1n08x", "r1n09x", "r1n11x", "r2n08x", "r2n09x", "r2n11x");
    assertThat(expand("p5-st-gpu-[9-10]")).containsExactly("p5-st-gpu-9", "p5-st-gpu-10");
  }

  @Example
  void aListThatWouldFillTheMemoryIsRefused() {
    for (String text :
        List.of("n[0-999999999]", "n[0-999][0-999][0-999]", "n[1-40000],m[1-40000]")) {
      assertThatThrownBy(() -> HostList.expand(text))
          .isInstanceOf(UnreadableAnswer.class)
          .hasMessageContaining("more than 65536 nodes");
    }
  }

  @Example
  void brokenListsAreNamed() {
    for (String text :
        List.of(
            "", "a,,b", "a[1", "a1]", "a[[1]]", "a[2-1]", "a[]", "a[1-]", "-a", "a b", "a[x]")) {
      assertThatThrownBy(() -> HostList.expand(text)).as(text).isInstanceOf(UnreadableAnswer.class);
    }
  }
}
