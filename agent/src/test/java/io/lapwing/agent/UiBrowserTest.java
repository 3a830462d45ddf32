package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.browser.Chromium;
import io.lapwing.agent.browser.Tab;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.engine.OperatorRequest;
import io.lapwing.agent.health.engine.OperatorRequests;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.web.AgentServer;
import io.lapwing.agent.web.LiveSnapshot;
import io.lapwing.agent.web.MadeLive;
import io.lapwing.agent.web.WebContent;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.RequestMeter;
import io.lapwing.common.web.WebServer;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.JobRun;
import io.lapwing.simulator.PassingTime;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The web UI in Chromium. With {@code -Dlapwing.screenshots=FOLDER} it writes the screenshots of
 * {@code docs/ui.md} there, after waiting for data in the plots.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("try") // time and a job only have to go on until they are closed
@Tag("slow")
class UiBrowserTest {

  private static final int ESCAPE = 27;
  private static final int ENTER = 13;

  /** Markup with visible effects if it were interpreted as markup. */
  private static final String HOSTILE =
      "\"><img src=x onerror=\"document.body.dataset.owned=1\"><script>owned()</script>";

  private static final Map<String, String> JOB =
      Map.of(
          "training.job", "4711",
          "training.compute", "0.4",
          "training.communication", "0.1",
          "training.checkpoint_every", "50",
          "gpu.*.load", "0.82 ~ 0.12");

  private final Screenshots screenshots = Screenshots.asked();
  private Chromium chromium;
  private Tab tab;

  @BeforeAll
  void startChromium(@TempDir Path dir) throws IOException {
    chromium = Chromium.start(dir);
  }

  @AfterAll
  void stopChromium() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @BeforeEach
  void openTab() {
    tab = chromium.tab().size(1280, 1000).prefers("light");
  }

  @AfterEach
  void noScriptFailedAndNoRequestWasBlocked() {
    List<String> complaints = tab.complaints();
    tab.close();
    // An agent that is gone is no fault of the page; the browser tells of it all the same.
    assertThat(complaints)
        .filteredOn(text -> !text.matches(".*net::ERR_(CONNECTION|EMPTY_RESPONSE).*"))
        .isEmpty();
  }

  private static Settings.Web anyPort() {
    return new Settings.Web(
        List.of(new ListenAddress("127.0.0.1", 0)), "/metrics", 40, true, Optional.empty());
  }

  private static SimulatedNode node(Path dir) {
    return SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
  }

  /** At cadences that leave a browser beside it some of the machine. */
  private static TestAgent agent(SimulatedNode node, String... more) throws Exception {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--cadence.fast=1s",
                "--cadence.medium=2s",
                "--cadence.slow=4s",
                "--poll.deadline=2s"));
    flags.addAll(List.of(more));
    return TestAgent.started(
        TestAgent.settings(node, flags.toArray(String[]::new)), PollClock.SYSTEM, nvml -> nvml);
  }

  private static WebServer serve(TestAgent agent) throws Exception {
    await().atMost(TestAgent.PATIENCE).until(agent.wiring()::evaluated);
    return AgentServer.start(anyPort(), agent.wiring().content(), RequestMeter.NONE);
  }

  private static WebServer serve(WebContent content) throws Exception {
    return AgentServer.start(anyPort(), content, RequestMeter.NONE);
  }

  private void open(WebServer server) {
    tab.go(server.urls().get(0) + "/ui");
  }

  @Test
  void aHealthyNodeShowsAllGpusWithDetails(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    node.setAll(JOB);
    try (JobRun job = node.letJobRun();
        PassingTime time = node.letTimePass();
        TestAgent agent = agent(node);
        WebServer server = serve(agent)) {
      open(server);
      tab.awaitText("#verdict .word", "HEALTHY");
      tab.awaitText("[data-gpu='5']", "SMs active");
      tab.awaitTrue("document.querySelectorAll('#tiles canvas').length === 8");
      tab.awaitText("#training", "job 4711");
      tab.awaitText("#efa", "32 of 32 answer");
      tab.awaitText("#lustre", "scratch");
      assertThat(tab.text("#simulated")).contains("SIMULATED NODE");
      assertThat(tab.count("#tiles button")).isEqualTo(8);
      assertThat(tab.text("#agent")).contains("all sources answer");
      screenshots.settle();
      screenshots.take(tab, "ui-healthy");

      tab.click("[data-gpu='5']");
      tab.awaitTrue("document.getElementById('details').open");
      tab.awaitText("#details", "GPU-da8deb50");
      tab.awaitTrue("document.querySelectorAll('#details canvas').length >= 3");
      screenshots.take(tab, "ui-gpu");
      tab.press("Escape", ESCAPE, "");
      tab.awaitTrue("!document.getElementById('details').open");
      assertThat(tab.evaluate("document.activeElement.dataset.gpu").asText()).isEqualTo("5");
      tab.press("Enter", ENTER, "\r");
      tab.awaitTrue("document.getElementById('details').open");
      tab.press("Escape", ESCAPE, "");

      tab.click("#theme");
      tab.awaitTrue("document.documentElement.dataset.theme === 'dark'");
      screenshots.take(tab, "ui-dark");
      open(server);
      tab.awaitText("#verdict .word", "HEALTHY");
      assertThat(tab.evaluate("document.documentElement.dataset.theme").asText()).isEqualTo("dark");

      tab.click("#theme");
      tab.size(360, 760);
      tab.awaitTrue("document.documentElement.scrollWidth <= 360");
      tab.evaluate("scrollTo(0, 0)");
      screenshots.settle();
      screenshots.take(tab, "ui-phone");
    }
  }

  @Test
  void aGpuOffTheBusIsShownFirst(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    try (PassingTime time = node.letTimePass();
        TestAgent agent =
            agent(
                node,
                "--node.platform=hyperpod-slurm",
                "--node.instance-id=i-0123456789abcdef0",
                "--web.runbook-url=https://wiki.example.com/runbooks/",
                "--web.dashboard-url=https://grafana.example.com/d/node?var-node={hostname}");
        WebServer server = serve(agent)) {
      tab.go(server.urls().get(0) + "/");
      tab.awaitTrue("location.pathname === '/ui'");
      tab.awaitText("#verdict .word", "HEALTHY");
      assertThat(tab.count("#actions .step:not(details .step)")).as("nothing to do").isZero();
      screenshots.settle();
      node.set("gpu.5.lost", "1");
      node.xid(5, 79);

      tab.awaitText("#verdict .word", "FAILING");
      tab.awaitText("#verdict", "xid_79");
      assertThat(tab.text("#verdict")).contains("replace this node", "GPU 5", "XID 79");
      tab.awaitText("[data-gpu='5']", "failing");
      tab.awaitText("[data-gpu='5']", "no answer");
      tab.awaitText("[data-gpu='5']", "XID 79");
      assertThat(tab.text("[data-gpu='5']")).doesNotContain("°C");
      assertThat(tab.text("[data-gpu='4']")).contains("healthy", "°C");
      tab.awaitText("#events", "XID 79 on GPU 5");
      tab.awaitText("#actions", "Replace the node");
      assertThat(tab.text("#actions"))
          .contains(
              "SageMaker HyperPod on Slurm (configured)",
              "scontrol update nodename=node-1 state=drain reason='xid_79 on GPU 5'",
              "scontrol update nodename=node-1 state=fail reason='Action:Replace'",
              "--node-ids i-0123456789abcdef0");
      assertThat(tab.evaluate("document.querySelector('#verdict .finding a').href").asText())
          .isEqualTo("https://wiki.example.com/runbooks/LapwingXid.md");
      assertThat(tab.markup("#actions"))
          .contains("https://grafana.example.com/d/node?var-node=node-1");
      screenshots.take(tab, "ui-failing");
      copiesAreWhatIsShown();
      assertThat(tab.evaluate("document.title").asText()).contains("failing", "node-1");
    }
  }

  /** The clipboard of a headless browser refuses, so it is replaced. */
  private void copiesAreWhatIsShown() {
    tab.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    tab.click("#actions .step .copy");
    tab.awaitTrue(
        "(window.copied ?? '').startsWith('scontrol update nodename=node-1 state=drain')");
    tab.awaitText("#actions .step .copy", "copied");
    tab.click("#actions .links .copy");
    tab.awaitTrue("(window.copied ?? '').includes('report of node-1')");
    String support = tab.evaluate("window.copied").asText();
    assertThat(support)
        .contains(
            "SIMULATED NODE",
            "Instance: i-0123456789abcdef0, p5.48xlarge",
            "Driver: ",
            "failing, replace_node: GPU 5",
            "XID 79",
            "serial ",
            "PCI ");
    assertThat(support.lines().filter(line -> line.startsWith("- GPU "))).hasSize(8);
  }

  @Test
  void anUnknownPlatformCanBeChosen(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    try (PassingTime time = node.letTimePass();
        TestAgent agent = agent(node);
        WebServer server = serve(agent)) {
      open(server);
      tab.awaitText("#actions", "unknown platform");
      assertThat(tab.text("#actions")).doesNotContain("kubectl");
      tab.evaluate(
          "{const list = document.querySelector('#actions select'); list.value = 'karpenter';"
              + " list.dispatchEvent(new Event('change'))}");

      tab.awaitText("#actions", "Karpenter on EKS (as requested)");
      assertThat(tab.markup("#actions")).contains("kubectl delete node node-1");
      screenshots.take(tab, "ui-commands");
    }
  }

  @Test
  void unknownIsAsProminentAsFailing(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    try (PassingTime time = node.letTimePass();
        TestAgent agent =
            agent(
                node,
                "--no-collector.gpu_xid",
                "--path.kmsg=" + dir.resolve("no-such-kernel-log"));
        WebServer server = serve(agent)) {
      open(server);
      // It counts after half a minute.
      tab.awaitText("#verdict .finding.unknown", "xids_unheard");
      assertThat(tab.text("#verdict .word")).contains("UNKNOWN");
      String background = "getComputedStyle(document.querySelector('#verdict .word'))";
      assertThat(tab.evaluate(background + ".backgroundColor").asText())
          .isEqualTo("rgb(113, 54, 138)");
      screenshots.settle();
      screenshots.take(tab, "ui-unknown");
    }
  }

  @Test
  void aHungDriverLeavesNoStaleValues(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    try (PassingTime time = node.letTimePass();
        TestAgent agent = agent(node);
        WebServer server = serve(agent)) {
      open(server);
      tab.awaitText("[data-gpu='0']", "°C");
      screenshots.settle();
      node.setAll(Map.of("gpu.*.block.*", "forever", "system.block.*", "forever"));
      try {
        tab.awaitText("#verdict", "driver_hung");
        for (int gpu = 0; gpu < 8; gpu++) {
          tab.awaitText("[data-gpu='" + gpu + "']", "hung");
          assertThat(tab.text("[data-gpu='" + gpu + "']"))
              .contains("since")
              .doesNotContain("°C", "SMs active");
        }
        assertThat(tab.text("#gpus-note")).contains("The driver hangs");
        tab.awaitText("#agent", "nvml");
        screenshots.take(tab, "ui-driver-hung");
      } finally {
        node.clear("gpu.*.block.*", "system.block.*");
      }
    }
  }

  @Test
  void releasedGpusAreNoFault(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    Path state = Files.createDirectory(dir.resolve("state"));
    try (PassingTime time = node.letTimePass();
        TestAgent agent = agent(node, "--path.state=" + state);
        WebServer server = serve(agent)) {
      open(server);
      tab.awaitText("[data-gpu='0']", "°C");
      new OperatorRequests(state)
          .ask(new OperatorRequest.ReleaseGpus(Instant.now().plusSeconds(600)));

      for (int gpu = 0; gpu < 8; gpu++) {
        tab.awaitText("[data-gpu='" + gpu + "']", "released");
        assertThat(tab.text("[data-gpu='" + gpu + "']"))
            .contains("until")
            .doesNotContain("no answer", "missing", "°C");
      }
      tab.awaitText("#gpus-note", "The GPUs are released until");
      tab.awaitText("#agent", "released nvml");
      assertThat(tab.text("#agent")).doesNotContain("down nvml", "down gpu");
      screenshots.take(tab, "ui-released");
    }
  }

  @Test
  void anUnreachableAgentIsShownAsUnknown() throws Exception {
    try (WebServer server = serve(SampleContent.failing("node-7"))) {
      open(server);
      tab.awaitText("#verdict .word", "FAILING");
      assertThat(tab.evaluate("document.getElementById('simulated').hidden").asBoolean()).isTrue();
    }

    tab.awaitText("#stale", "does not answer");
    assertThat(tab.text("#verdict .word")).contains("UNKNOWN", "the agent does not answer");
    assertThat(tab.text("#verdict")).contains("Last reported state", "failing");
    assertThat(tab.evaluate("document.title").asText()).contains("unknown");
    screenshots.take(tab, "ui-stale");
  }

  @Test
  void noNameBecomesMarkup() throws Exception {
    try (WebServer server = serve(SampleContent.named(HOSTILE))) {
      open(server);
      tab.awaitText("#verdict", "onerror");
      tab.awaitText("#events", "onerror");
      tab.awaitTrue(
          "document.querySelectorAll('#efa, #lustre, #training, #inference').length === 4");
      tab.click("#tiles button");
      tab.awaitTrue("document.getElementById('details').open");

      assertThat(tab.text("#node")).isEqualTo(HOSTILE);
      for (String section : List.of("#efa", "#lustre", "#training", "#inference", "#agent")) {
        // Also where it is only told to those who ask, in a title or in details that are closed.
        assertThat(tab.markup(section)).as(section).contains("onerror");
      }
      assertThat(tab.count("img")).isZero();
      assertThat(tab.count("body script")).isZero();
      assertThat(tab.evaluate("document.body.dataset.owned ?? ''").asText()).isEmpty();
    }
  }

  @Test
  void aGpuNamesAllItsRanksItsInstancesAndItsXidsSinceBoot() throws Exception {
    try (WebServer server = serve(SampleContent.healthy(MadeLive.instances()))) {
      open(server);
      tab.awaitText("[data-gpu='0']", "XID 31");
      tab.click("[data-gpu='0']");
      tab.awaitText("#details", "XIDs since boot");

      assertThat(tab.text("#details"))
          .contains(
              "3 of job 4711 on instance 7; 0 of job 4712 on instance 8; 9 of job 4711, not"
                  + " verified")
          .containsSubsequence(
              "MIG instances",
              "7 · 1g.10gb · SMs active 50 % · 2.0 of 9.5 GiB · job 4711",
              "8 · 1g.10gb · SMs active 50 % · 2.0 of 9.5 GiB · job 4712");
    }
  }

  @Test
  void theGpusHaveASumOfPowerOnlyIfAllHaveOne() throws Exception {
    OptionalDouble watts = OptionalDouble.of(700);
    try (WebServer server = serve(SampleContent.healthy(MadeLive.powers(watts, watts)))) {
      open(server);
      tab.awaitText("#gpus-note", "2 of 2 answer · 1.4 kW");
    }
    LiveSnapshot partly = MadeLive.powers(watts, OptionalDouble.empty());
    try (WebServer server = serve(SampleContent.healthy(partly))) {
      open(server);
      tab.awaitText("#gpus-note", "2 of 2 answer");
      assertThat(tab.text("#gpus-note")).doesNotContain("kW");
    }
  }

  @Test
  void ranksThatAreNotVerifiedAreAJobOfTheirOwnBehindTheOthers() throws Exception {
    try (WebServer server = serve(SampleContent.ranks("node-1"))) {
      open(server);
      tab.awaitText("#training", "not verified");
      String text = tab.text("#training");

      assertThat(text.indexOf("Training job 4711"))
          .isLessThan(text.indexOf("Training job 4711 · not verified"));
      assertThat(text).contains("2 ranks on this node", "1 rank on this node");
      assertThat(text).containsOnlyOnce("the kernel does not confirm");
    }
  }
}
