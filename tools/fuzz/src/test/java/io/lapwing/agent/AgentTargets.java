package io.lapwing.agent;

import static io.lapwing.fuzz.Target.demand;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lapwing.agent.config.PolicyFile;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.dropin.FromExporterCommand;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.health.engine.ClearRequests;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.names.Translation;
import io.lapwing.agent.replay.LogReplay;
import io.lapwing.agent.replay.ReplayOutput;
import io.lapwing.agent.replay.ReplayOutput.ReplayedEvent;
import io.lapwing.agent.replay.ReplayRequest;
import io.lapwing.agent.sources.FieldSettings;
import io.lapwing.common.config.ClientConfig;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.WebConfig;
import io.lapwing.fuzz.Scratch;
import io.lapwing.fuzz.Target;
import io.lapwing.gpu.NameGeneration;
import io.lapwing.xid.XidTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Input from operators: configuration files, flags, variables, and the log of a replay. */
public final class AgentTargets {

  private static final XidTable TABLE = XidTable.load();

  private AgentTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofBytes("config-file", AgentTargets::config)
            .seeds(
                "web:\n  listen-address: [':9754', '[::1]:9754']\ncollector.gpu: true\n",
                "poll:\n  fast: 1s\n  slow: 5m\nlog: {format: json, level: info}\n",
                "a: &x 1\nb: *x\n? [k]\n: v\n--- \nx: \"\\u00e9\\x41\"\n"),
        Target.ofText("flags", AgentTargets::flags)
            .seeds(
                "--web.listen-address=:0\n--poll.fast=500ms\n--no-collector.efa\n--help",
                "--log.level\ndebug\n--inference.targets=http://a:1/m,http://[::1]:2\n--version"),
        Target.ofBytes("policy-file", AgentTargets::policy)
            .seeds(
                """
                profile: aws
                xids:
                  63: {severity: degraded, action: reset_gpu, urgency: job_end}
                  unknown: {severity: info}
                rules:
                  sbe_acceleration:
                    {enabled: true, severity: degraded, thresholds: {floor_per_hour: 20}}
                """),
        Target.ofBytes("web-file", AgentTargets::web)
            .recordings("agent/src/test/resources/exporter-toolkit/*.y*ml"),
        Target.ofBytes("field-config", AgentTargets::fieldConfig)
            .recordings("agent/src/test/resources/dcgm-exporter/fields-*.yaml"),
        Target.ofBytes("from-exporter", AgentTargets::fromExporter)
            .recordings("agent/src/test/resources/dcgm-exporter/*.*"),
        Target.ofBytes("clear-request", AgentTargets::clear)
            .seeds("xid_79\ngpu:3\nreplaced the GPU\n", "\n\n\n"),
        Target.ofText("names", AgentTargets::names)
            .seeds(
                "- expr: |\n    sum(rate(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{Hostname='a'}[5m])) / 1000\n  for: 5m\n",
                "{\"expr\": \"(DCGM_FI_DEV_GPU_UTIL{a=\\\"b\\\"} / 100)\", \"legendFormat\": \"{{ Hostname }}\"}"),
        Target.ofBytes("replay", AgentTargets::replay)
            .seeds(
                """
                [   12.345678] NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.
                [   13.345678] NVRM: Xid (PCI:0000:53:00): 48, DBE
                """,
                """
                4,1,98765432101,-;NVRM: Xid (PCI:0000:53:00): 94, Contained: SM (0x1)
                4,2,98765432102,-;nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20009, Fatal, Link 28
                """));
  }

  private static void config(byte[] input) throws IOException {
    settings(List.of("--config.file=" + Scratch.file("lapwing.yml", input)), Map.of());
  }

  /** A word on each line; and the first of them as the value of a variable. */
  private static void flags(String text) {
    List<String> words = text.lines().toList();
    settings(words, Map.of());
    settings(List.of(), Map.of("LAPWING_POLL_FAST", words.isEmpty() ? "" : words.get(0)));
  }

  private static void settings(List<String> words, Map<String, String> variables) {
    try {
      SettingsReader.read(words, variables, CollectorGroup.collectors());
    } catch (ConfigException declared) {
      named(declared);
    }
  }

  private static void named(ConfigException declared) {
    demand(!declared.problems().isEmpty(), "a failure without a problem");
    demand(declared.problems().stream().noneMatch(String::isBlank), "a problem without words");
  }

  private static void policy(byte[] input) throws IOException {
    try {
      PolicyFile.read(Scratch.file("policy.yml", input), TABLE, HealthRules.specs());
    } catch (ConfigException declared) {
      named(declared);
    }
  }

  private static void web(byte[] input) throws IOException {
    Path file = Scratch.file("web.yml", input);
    try {
      WebConfig.read(file);
    } catch (ConfigException declared) {
      named(declared);
    }
    try {
      ClientConfig.read(file);
    } catch (ConfigException declared) {
      named(declared);
    }
  }

  private static void fieldConfig(byte[] input) throws IOException {
    try {
      FieldSettings.read(Optional.of(Scratch.file("fields.yaml", input)));
    } catch (ConfigException declared) {
      named(declared);
    }
  }

  /** Whatever a file has, the output is comments and settings. */
  private static void fromExporter(byte[] input) throws IOException {
    for (String name : List.of("exporter.yaml", "exporter.txt")) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (PrintStream text = new PrintStream(out, false, UTF_8);
          PrintStream ignored = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
        new FromExporterCommand(text, ignored).run(List.of(Scratch.file(name, input).toString()));
      }
      demand(
          out.toString(UTF_8).lines().allMatch(line -> line.matches("# .*|\\S+[:=].*|  \\S+: .*")),
          "a line that is no setting");
    }
  }

  private static void clear(byte[] input) throws IOException {
    Path state = Scratch.folder("state");
    Files.createDirectories(state.resolve("clear"));
    Files.write(state.resolve("clear/a.request"), input);
    ClearRequests requests = new ClearRequests(state, InstantSource.fixed(Instant.EPOCH));
    demand(requests.read().size() <= 1, "more requests than files");
    demand(requests.read().isEmpty(), "a request that stays");
  }

  /** A second time changes nothing. */
  private static void names(String text) {
    for (NameGeneration to : NameGeneration.values()) {
      Translation translation = new Translation(to);
      String once = translation.translate(text).text();
      demand(translation.translate(once).text().equals(once), "translated again: " + to);
    }
  }

  private static void replay(byte[] input) throws IOException {
    Path log = Scratch.file("kmsg", input);
    try {
      new LogReplay()
          .replay(
              new ReplayRequest(log, Optional.empty(), Optional.empty(), Optional.empty(), true),
              new Counted());
    } catch (ConfigException declared) {
      throw new AssertionError(new String(input, UTF_8), declared);
    }
  }

  /** There are no more results than messages. */
  private static final class Counted implements ReplayOutput {
    private long said;
    private long boots;

    @Override
    public void event(ReplayedEvent event) {
      said++;
    }

    @Override
    public void verdict(Instant at, Verdict from, Verdict to, Action action, String why) {
      demand(from != to || !why.isEmpty(), "a change without a reason");
    }

    @Override
    public void boot(Optional<Instant> at, String id) {
      boots++;
    }

    @Override
    public void end(HealthReport last, Counts counts) {
      demand(counts.events() == said && said <= 2 * counts.lines(), "more events than lines");
      demand(boots <= counts.known(), "more boots than lines");
    }
  }
}
