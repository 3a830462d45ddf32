package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No key was renamed yet, so the table of old names is a made one of a version 3. */
class ConfigVersionTest {

  private static final OldKeys MADE =
      new OldKeys(
          3,
          List.of(
              new OldKeys.Renamed("http.requests", "web.max-requests", 2),
              new OldKeys.Renamed("collector.ecc", "collector.gpu-ecc", 3)),
          List.of(new OldKeys.Removed("http.colour", 3, "pages have one colour")));

  private static final List<CollectorSwitch> COLLECTORS =
      List.of(new CollectorSwitch("gpu-ecc", true, "ECC error counts."));

  private final Path folder;

  ConfigVersionTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private Invocation.Run read(OldKeys oldKeys, String yaml) throws Exception {
    Path file = Files.writeString(folder.resolve("lapwing.yml"), yaml);
    return (Invocation.Run)
        SettingsReader.read(List.of("--config.file=" + file), Map.of(), COLLECTORS, oldKeys);
  }

  private void refuses(OldKeys oldKeys, String yaml, String... problems) {
    assertThatThrownBy(() -> read(oldKeys, yaml))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.problems())
                    .containsExactlyInAnyOrder(
                        List.of(problems).stream()
                            .map(line -> folder.resolve("lapwing.yml") + ":" + line)
                            .toArray(String[]::new)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "version: 1\n", "version: '1'\n", "---\nversion: 1\n"})
  void aFileOfTheFirstVersionNeedNotSaySo(String head) throws Exception {
    Invocation.Run run = read(OldKeys.TODAY, head + "web.max-requests: 7\n");

    assertThat(run.settings().web().maxRequests()).isEqualTo(7);
    assertThat(run.warnings()).isEmpty();
  }

  @Test
  void aFileOfANewerVersionIsRefusedForThatAloneWhereverItSaysSo() {
    refuses(
        OldKeys.TODAY,
        "key.of.tomorrow: 3\nlog.level: chatty\nversion: 2\n",
        "3: version: this file is of version 2, and this agent knows versions up to 1; take a newer"
            + " agent, or write the file for that version");
  }

  @ParameterizedTest
  @ValueSource(strings = {"one", "0", "-1", "1.5", "01", "[1]", "{a: 1}", "", "12345678901"})
  void aVersionIsANumberFromOneOn(String text) {
    assertThatThrownBy(() -> read(OldKeys.TODAY, "version: " + text + "\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "lapwing.yml:1: version: '"
                + (text.startsWith("[") || text.startsWith("{") || text.isEmpty() ? "" : text)
                + "' is not a version of the configuration");
  }

  @Test
  void aVersionTwiceIsAMistakeAndOneThatIsMisspeltIsNamed() {
    refuses(OldKeys.TODAY, "version: 1\nversion: 1\n", "2: version: set twice");
    refuses(OldKeys.TODAY, "verion: 1\n", "1: verion: unknown key; did you mean version?");
  }

  @Test
  void anOldNameHoldsInAnOldFileAndSaysItsNewOne() throws Exception {
    Invocation.Run run = read(MADE, "http:\n  requests: 7\ncollector: {ecc: false}\n");

    assertThat(run.settings().web().maxRequests()).isEqualTo(7);
    assertThat(run.settings().collectors().enabled("gpu-ecc")).isFalse();
    assertThat(run.warnings())
        .containsExactly(
            folder.resolve("lapwing.yml")
                + ":2: http.requests: is called web.max-requests since version 2",
            folder.resolve("lapwing.yml")
                + ":3: collector.ecc: is called collector.gpu-ecc since version 3");
  }

  @Test
  void anOldNameIsAMistakeInAFileOfAVersionWithoutIt() throws Exception {
    refuses(
        MADE,
        "version: 2\nhttp.requests: 7\ncollector.ecc: false\n",
        "2: http.requests: is called web.max-requests since version 2");
    assertThat(read(MADE, "version: 2\ncollector.ecc: false\n").warnings()).hasSize(1);
  }

  @Test
  void bothNamesTogetherAreSetTwice() {
    refuses(
        MADE,
        "version: 1\nweb.max-requests: 7\nhttp.requests: 8\n",
        "3: web.max-requests: set twice");
  }

  @Test
  void whatIsNoMoreHasNoEffectInAnOldFileAndIsAMistakeInANewOne() throws Exception {
    Invocation.Run run = read(MADE, "http: {colour: {of: page}}\nweb.max-requests: 7\n");

    assertThat(run.settings().web().maxRequests()).isEqualTo(7);
    assertThat(run.warnings())
        .containsExactly(
            folder.resolve("lapwing.yml")
                + ":1: http.colour: is no more since version 3 and has no effect; pages have one"
                + " colour");
    refuses(
        MADE,
        "version: 3\nhttp.colour: red\n",
        "2: http.colour: is no more since version 3 and has no effect; pages have one colour");
  }

  @Test
  void flagsAndVariablesUnderTheirOldNamesHoldToo() throws Exception {
    Invocation.Run run =
        (Invocation.Run)
            SettingsReader.read(
                List.of("--no-collector.ecc"),
                Map.of("LAPWING_HTTP_REQUESTS", "9"),
                COLLECTORS,
                MADE);

    assertThat(run.settings().collectors().enabled("gpu-ecc")).isFalse();
    assertThat(run.settings().web().maxRequests()).isEqualTo(9);
    assertThat(run.warnings())
        .containsExactly(
            "flag --no-collector.ecc: is called --no-collector.gpu-ecc now",
            "environment LAPWING_HTTP_REQUESTS: is called LAPWING_WEB_MAX_REQUESTS now");
  }

  @Test
  void everyNewNameOfTheShippedTableIsAnOption() {
    List<String> options = Options.FIXED.stream().map(Option::name).toList();

    assertThat(OldKeys.TODAY.renamed()).allMatch(one -> options.contains(one.now()));
    assertThat(OldKeys.TODAY.names()).doesNotContainAnyElementsOf(options).doesNotHaveDuplicates();
    assertThat(options).doesNotContain(Migration.VERSION);
  }
}
