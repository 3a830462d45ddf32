package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.Flags;
import io.lapwing.common.config.Option;
import io.lapwing.common.config.OptionTable;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentFlagsTest {
  private static final OptionTable TABLE =
      Options.table(List.of(new CollectorSwitch("gpu-ecc", true, "ECC error counts.")));
  private static final List<Option<?>> OPTIONS = TABLE.options();

  private static Flags.Parsed parse(String... args) {
    return new Flags(TABLE).parse(CommandLine.Rest.all(List.of(args)));
  }

  private static String values(Flags.Parsed parsed) {
    return parsed.source().values().stream()
        .map(value -> value.option().name() + "=" + value.text())
        .sorted()
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "--web.max-requests=3, web.max-requests=3",
    "--web.max-requests 3, web.max-requests=3",
    "--web.max-requests -3, web.max-requests=-3",
    "--gpu.fields=, gpu.fields=",
    "--node.hostname=a=b, node.hostname=a=b",
    "--node.hostname=--once, node.hostname=--once",
    "--web.listen-address=:1 --web.listen-address [::1]:9, 'web.listen-address=:1,[::1]:9'",
    "--once, once=true",
    "--once=false, once=false",
    "--no-once, once=false",
    "--no-collector.gpu-ecc --once, collector.gpu-ecc=false once=true",
  })
  void flagsAreWrittenInThreeForms(String args, String values) {
    Flags.Parsed parsed = parse(args.split(" "));

    assertThat(parsed.source().problems()).isEmpty();
    assertThat(values(parsed)).isEqualTo(values);
  }

  @Test
  void anUnknownFlagAfterASwitchIsReportedByItsName() {
    assertThat(parse("--once", "--nosuch").source().problems())
        .containsExactly("flag --nosuch: unknown");
    assertThat(parse("--once", "--log.levle=debug").source().problems())
        .containsExactly("flag --log.levle: unknown; did you mean --log.level?");
    assertThat(parse("--no-onse").source().problems())
        .containsExactly("flag --no-onse: unknown; did you mean --no-once?");
  }

  @Test
  void aFlagIsNeverTheValueOfTheFlagBeforeIt() {
    Flags.Parsed parsed = parse("--node.hostname", "--once", "--log.level", "--nosuch");

    assertThat(parsed.source().problems())
        .containsExactly(
            "flag --node.hostname: needs a value",
            "flag --log.level: needs a value",
            "flag --nosuch: unknown");
    assertThat(values(parsed)).isEqualTo("once=true");
  }

  @Test
  void everyBooleanFlagHasANegation() {
    String help = SettingsReader.help(new Flags(TABLE), TABLE, false);
    OPTIONS.stream()
        .filter(Option::isBoolean)
        .forEach(
            option -> {
              assertThat(values(parse("--no-" + option.name())))
                  .isEqualTo(option.name() + "=false");
              assertThat(help).contains("      --[no-]" + option.name());
            });
    assertThat(
            parse("--no-web.disable-exporter-metrics", "--web.disable-exporter-metrics")
                .source()
                .problems())
        .containsExactly(
            "flag --web.disable-exporter-metrics: given together with"
                + " --no-web.disable-exporter-metrics");
  }

  @Test
  void theHelpFitsTheTerminalAndListsEveryFlag() {
    String help = SettingsReader.help(new Flags(TABLE), TABLE, true);

    assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    assertThat(help).contains("-h, --help", "--version", "--check-config");
    OPTIONS.forEach(option -> assertThat(help).contains(option.name()));
  }

  @Test
  void theShortHelpHasALineForEachFlagByGroup() {
    List<String> help = SettingsReader.help(new Flags(TABLE), TABLE, false).lines().toList();

    assertThat(help).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(130));
    OPTIONS.forEach(
        option ->
            assertThat(help)
                .as(option.name())
                .filteredOn(
                    line -> line.matches(" {6}--(\\[no-])?" + option.name() + "[= ].*\\. ?.*"))
                .hasSize(1));
    assertThat(help)
        .containsSubsequence(
            "Web:",
            "Metrics:",
            "Health and identity of the node:",
            "Sources:",
            "Tuning and development:",
            "Collectors, enabled unless noted:");
  }

  @Property(tries = 500)
  void anyMixOfFlagsIsReadBack(@ForAll("flags") List<List<String>> flags) {
    List<String> args =
        flags.stream().flatMap(flag -> flag.subList(1, flag.size()).stream()).toList();
    Flags.Parsed parsed = new Flags(TABLE).parse(CommandLine.Rest.all(args));

    assertThat(parsed.source().problems()).isEmpty();
    assertThat(values(parsed).split(" "))
        .containsExactlyInAnyOrder(
            flags.isEmpty()
                ? new String[] {""}
                : flags.stream().map(flag -> flag.get(0)).toArray(String[]::new));
  }

  /** The expected value, then the words that set it. */
  @Provide
  Arbitrary<List<List<String>>> flags() {
    return Arbitraries.of(
            List.of("web.max-requests=3", "--web.max-requests=3"),
            List.of("log.level=-3", "--log.level", "-3"),
            List.of("node.hostname=true", "--node.hostname", "true"),
            List.of("once=true", "--once"),
            List.of("labels=", "--labels="),
            List.of("hpc-job-label=false", "--no-hpc-job-label"),
            List.of("collector.gpu-ecc=", "--collector.gpu-ecc="),
            List.of(
                "web.listen-address=:1,:2",
                "--web.listen-address",
                ":1",
                "--web.listen-address=:2"))
        .list()
        .uniqueElements()
        .ofMaxSize(5);
  }
}
