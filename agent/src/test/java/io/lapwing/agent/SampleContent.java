package io.lapwing.agent;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.metrics.Exposition;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.web.LiveSnapshot;
import io.lapwing.agent.web.MadeLive;
import io.lapwing.agent.web.WebContent;
import io.lapwing.agent.web.WebContent.AgentInfo;
import io.lapwing.agent.web.WebContent.Readiness;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What the web server shows of nodes that nobody reads. */
final class SampleContent {

  private static final Disposition REPLACE =
      new Disposition(Severity.FAILING, Action.REPLACE_NODE, Urgency.NOW);

  private SampleContent() {}

  static WebContent failing(String hostname) {
    return content(hostname, MadeReports.failing(), MadeLive.EMPTY);
  }

  /** A healthy node with training ranks, of which one is not verified. */
  static WebContent ranks(String hostname) {
    return content(hostname, MadeReports.healthy(), MadeLive.ranks());
  }

  /** A healthy node with these live values. */
  static WebContent healthy(LiveSnapshot live) {
    return content("node-1", MadeReports.healthy(), live);
  }

  /** A node on which everything has this one name. */
  static WebContent named(String name) {
    Subject subject = new Subject.Part("efa", name);
    HealthReport report =
        MadeReports.with(List.of(MadeReports.finding("xid_79", subject, REPLACE, name)));
    return content(name, report, MadeLive.named(name));
  }

  private static WebContent content(String name, HealthReport report, LiveSnapshot live) {
    return new WebContent(
        new NoExposition(),
        () -> new AgentInfo("1.2.3", name, false),
        Readiness.Ready::new,
        () -> Map.of("name", name),
        () -> report,
        () -> List.of(new Event.OperatorCleared(MadeLive.NOW, name, "efa:" + name, name)),
        () -> live,
        InstantSource.fixed(MadeLive.NOW));
  }

  private static final class NoExposition implements Exposition {
    @Override
    public byte[] page(PageFormat format, Preset preset) {
      return new byte[0];
    }

    @Override
    public byte[] gzippedPage(PageFormat format, Preset preset) {
      return new byte[0];
    }

    @Override
    public byte[] page(PageFormat format, Preset preset, Predicate<String> collectors) {
      return new byte[0];
    }

    @Override
    public Preset preset() {
      return Preset.FULL;
    }

    @Override
    public Set<String> collectors() {
      return Set.of();
    }
  }
}
