package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.config.Configuration.Reloaded;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ResolvedOptions.Change;
import io.lapwing.common.config.ResolvedOptions.ResolvedOption;
import io.lapwing.common.log.LogFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

  private static final List<CollectorSwitch> COLLECTORS =
      List.of(
          new CollectorSwitch("gpu-ecc", true, "ECC error counts."),
          new CollectorSwitch("gpu-power", true, "Power."));

  private static Configuration of(String... flags) throws Exception {
    return ((SettingsReader.Invocation.Run)
            SettingsReader.read(List.of(flags), Map.of(), COLLECTORS))
        .configuration();
  }

  @Test
  void theSameWrittenOtherwiseIsNoChange() throws Exception {
    Reloaded reloaded =
        of("--cadence.slow=60s", "--gpu.xid-window=300s")
            .with(of("--cadence.slow=1m", "--log.level=info"), Set.of());

    assertThat(reloaded.changes()).isEmpty();
    assertThat(reloaded.waiting()).isEmpty();
  }

  @Test
  void whatCanBeTakenUpIsAndTheRestStaysAsItWas() throws Exception {
    Reloaded reloaded =
        of("--cadence.fast=2s", "--path.state=/a", "--labels=lean")
            .with(of("--cadence.fast=3s", "--path.state=/b", "--log.format=json"), Set.of());

    assertThat(reloaded.changes())
        .containsExactly(
            new Change("cadence.fast", "2s", "3s"), new Change("log.format", "logfmt", "json"));
    assertThat(reloaded.waiting())
        .containsExactly(
            new Change("path.state", "/a", "/b"), new Change("labels", "lean", "full"));
    Settings holds = reloaded.configuration().settings();
    assertThat(holds.cadence().fast()).hasSeconds(3);
    assertThat(holds.log().format()).isEqualTo(LogFormat.JSON);
    assertThat(holds.paths().state()).hasToString("/a");
    assertThat(holds.gpu().labels()).isEqualTo(Settings.LabelSet.LEAN);
  }

  @Test
  void aChangeThatRequiresARestartIsReportedAgainAtTheNextReload() throws Exception {
    Configuration asked = of("--path.state=/b");
    Configuration holds = of("--path.state=/a").with(asked, Set.of()).configuration();

    assertThat(holds.with(asked, Set.of()).waiting())
        .containsExactly(new Change("path.state", "/a", "/b"));
    assertThat(holds.with(of("--path.state=/a"), Set.of()).waiting()).isEmpty();
  }

  @Test
  void whatIsHeldNowStaysAndIsTakenUpLater() throws Exception {
    Configuration asked = of("--lustre.targets=full");
    Reloaded first = of().with(asked, Set.of("lustre.targets"));

    assertThat(first.changes()).isEmpty();
    assertThat(first.waiting())
        .containsExactly(new Change("lustre.targets", "summary", "full", true));
    assertThat(first.configuration().settings().lustreTargets())
        .isEqualTo(Settings.LustreTargets.SUMMARY);
    assertThat(first.configuration().with(asked, Set.of()).changes()).hasSize(1);
  }

  @Test
  void collectorsAreComparedByWhetherTheyRun() throws Exception {
    assertThat(
            of("--collector.disable-defaults", "--collector.gpu-ecc", "--collector.gpu-power")
                .with(of("--collector.disable-defaults", "--collector.gpu-ecc"), Set.of())
                .changes())
        .containsExactly(new Change("collector.gpu-power", "true", "false"));
    assertThat(of().with(of("--collector.gpu-ecc"), Set.of()).changes()).isEmpty();
  }

  @Test
  void settingTheDefaultProfileByNameIsAChange() throws Exception {
    Reloaded reloaded = of().with(of("--health.profile=aws"), Set.of());

    assertThat(reloaded.changes()).containsExactly(new Change("health.profile", "", "aws"));
    assertThat(reloaded.configuration().settings().health().profile()).isPresent();
  }

  @Test
  void whatMayBeASecretIsNotShown() throws Exception {
    Reloaded reloaded =
        of("--inference.scrape=http://a:1/metrics?token=secret1,http://b:2/metrics")
            .with(of("--inference.scrape=http://a:1/metrics?token=secret2"), Set.of());

    assertThat(reloaded.changes())
        .containsExactly(
            new Change(
                "inference.scrape",
                "http://a:1/metrics?[redacted],http://b:2/metrics",
                "http://a:1/metrics?[redacted]"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--web.dashboard-url=https://g.example.com/d/x?k=swordfish&X-Amz-Signature=swordfish",
        "--web.runbook-url=https://g.example.com/d/x?pwd=swordfish",
        "--inference.scrape=http://a:1/metrics?auth_token=swordfish",
      })
  void noParameterOfAUrlIsShown(String flag) throws Exception {
    assertThat(of(flag).effective().toString()).doesNotContain("swordfish").contains("?[redacted]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--inference.scrape=http://ada:swordfish@a:1/metrics",
        "--inference.scrape=a:1/metrics?token=swordfish",
        "--inference.scrape=http://a:1/metrics?token=not,swordfish",
        "--inference.scrape=ada:swordfish@a:1",
        "--inference.scrape=http://a:1/metrics?token=one swordfish",
        "--inference.scrape=http://a:1/metrics?token=one#swordfish",
        "--inference.scrape=http://ada:one#swordfish@a:1/metrics",
        "--inference.scrap=http://a:1/metrics?token=swordfish",
        "--imds.url=http://ada:swordfish@169.254.169.254",
        "--web.dashboard-url=https://ada:swordfish@g.example.com/",
        "--log.level=http://a:1/metrics?token=swordfish",
        "http://a:1/metrics?token=swordfish",
      })
  void noErrorRepeatsASecret(String word) {
    assertThatThrownBy(() -> of(word))
        .isInstanceOf(ConfigException.class)
        .hasMessageNotContaining("swordfish");
  }

  @Test
  void everyOptionHasItsPlace() throws Exception {
    assertThat(of("--web.max-requests=3").effective())
        .contains(
            new ResolvedOption("web.max-requests", "3", "flag --web.max-requests", true),
            new ResolvedOption("path.sysfs", "/sys", "", false),
            new ResolvedOption("collector.gpu-ecc", "true", "", true));
  }
}
