package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

class PlainFlagsPropertyTest {
  private static final List<Option<?>> OPTIONS =
      Options.with(List.of(new CollectorSwitch("gpu-ecc", true, "ECC error counts.")));

  /** Two readers of one language must agree wherever the quick one dares to read. */
  @Property(tries = 2000)
  void whatIsReadPlainlyPicocliReadsAlike(@ForAll("commandLines") List<String> args) {
    Optional<Layer> plain = new PlainFlags(OPTIONS).read(args);
    Statistics.collect(plain.isPresent());

    if (plain.isPresent()) {
      Flags.Parsed parsed = new Flags(OPTIONS).parse(args);
      assertThat(parsed.help()).isFalse();
      assertThat(parsed.version()).isFalse();
      assertThat(parsed.layer().problems()).isEmpty();
      assertThat(set(parsed.layer())).isEqualTo(set(plain.get()));
    }
  }

  private static Set<Given> set(Layer layer) {
    return new HashSet<>(layer.given());
  }

  @Provide
  Arbitrary<List<String>> commandLines() {
    return Arbitraries.of(
            "--web.max-requests=3",
            "--web.max-requests",
            "--web.max-requests=",
            "3",
            "-3",
            "--once",
            "--once=true",
            "--once=",
            "true",
            "--gpu.fields=",
            "--node.hostname=a=b",
            "--node.hostname",
            "--web.listen-address=:1",
            "--web.listen-address",
            "[::1]:9",
            "--collector.gpu-ecc",
            "--no-collector.gpu-ecc",
            "--no-collector.gpu-ecc=true",
            "--log.level",
            "--unknown",
            "--help",
            "-h",
            "--version",
            "--",
            "",
            "=",
            "'quoted'")
        .list()
        .ofMaxSize(5);
  }
}
