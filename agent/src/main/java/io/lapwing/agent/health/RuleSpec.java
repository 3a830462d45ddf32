package io.lapwing.agent.health;

import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule for {@code lapwing policy show}, the documentation and its metrics; a metric that is not
 * listed is not read. It is unevaluated where no device has any of {@code needs}; {@code document}
 * is the source of {@code why}.
 */
public record RuleSpec(
    String name,
    String about,
    String why,
    String document,
    Disposition aws,
    Disposition nvidia,
    Duration openAfter,
    Duration closeAfter,
    List<Threshold> thresholds,
    List<Metric> needs,
    List<Metric> reads,
    List<Metric> trends) {

  /** A number that a site may set; {@code about} has the source of the preset. */
  public record Threshold(
      String name, double preset, double least, double most, String unit, String about) {}

  /** A rule without delays, thresholds and metrics, which does not affect the verdict. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  public static final class Builder {
    private final String name;
    private String about = "";
    private String why = "";
    private String document = "";
    private Disposition aws = Disposition.info();
    private Disposition nvidia = Disposition.info();
    private Duration openAfter = Duration.ZERO;
    private Duration closeAfter = Duration.ZERO;
    private final List<Threshold> thresholds = new ArrayList<>();
    private List<Metric> needs = List.of();
    private List<Metric> reads = List.of();
    private List<Metric> trends = List.of();

    private Builder(String name) {
      this.name = name;
    }

    public Builder about(String sentence) {
      about = sentence;
      return this;
    }

    public Builder why(String sentence) {
      why = sentence;
      return this;
    }

    public Builder document(String source) {
      document = source;
      return this;
    }

    /** The same under both profiles. */
    public Builder disposition(Disposition both) {
      return aws(both).nvidia(both);
    }

    public Builder aws(Disposition disposition) {
      aws = disposition;
      return this;
    }

    public Builder nvidia(Disposition disposition) {
      nvidia = disposition;
      return this;
    }

    public Builder openAfter(Duration delay) {
      openAfter = delay;
      return this;
    }

    public Builder closeAfter(Duration delay) {
      closeAfter = delay;
      return this;
    }

    /** A threshold; {@link #meaning} follows. */
    public Builder threshold(
        String threshold, double preset, double least, double most, String unit) {
      thresholds.add(new Threshold(threshold, preset, least, most, unit, ""));
      return this;
    }

    /** The meaning of the last threshold, and the source of its preset. */
    public Builder meaning(String sentence) {
      Threshold last = thresholds.remove(thresholds.size() - 1);
      thresholds.add(
          new Threshold(
              last.name(), last.preset(), last.least(), last.most(), last.unit(), sentence));
      return this;
    }

    public Builder needs(Metric... metrics) {
      needs = List.of(metrics);
      return this;
    }

    public Builder reads(Metric... metrics) {
      reads = List.of(metrics);
      return this;
    }

    public Builder trends(Metric... metrics) {
      trends = List.of(metrics);
      return this;
    }

    public RuleSpec build() {
      return new RuleSpec(
          name,
          about,
          why,
          document,
          aws,
          nvidia,
          openAfter,
          closeAfter,
          List.copyOf(thresholds),
          needs,
          reads,
          trends);
    }
  }
}
