package io.lapwing.agent.health;

import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The description of a rule: for {@code lapwing policy show} and the documentation, and the metrics
 * that it uses. A metric in none of the three lists is not read.
 *
 * @param name {@code row_remap_failure}; the label {@code rule} of its findings
 * @param findings the names of its findings, if they differ from the rule's
 * @param about what it detects, one sentence
 * @param why the reason for the action, one sentence
 * @param document the source of that reason: an NVIDIA document, an AWS page, a driver source
 * @param aws disposition under profile {@code aws}
 * @param nvidia disposition under profile {@code nvidia}
 * @param balanced disposition under profile {@code balanced}
 * @param escalates whether a state that a reset or reboot did not end, or that returns within a
 *     week of it, calls for more: see {@link StateEscalation}
 * @param grace the milder form in which a state starts that may still end by itself
 * @param forms other forms of the fault that call for another action, for the documentation
 * @param openAfter how long a detection must last before a finding opens
 * @param closeAfter how long it must be absent before the finding closes
 * @param needs the rule is unevaluated where no device has any of them; empty for a rule that
 *     evaluates states only
 * @param reads used too, where they exist
 * @param trends the counters whose increase is used; see {@link NodeSnapshot#trends}
 */
public record RuleSpec(
    String name,
    List<String> findings,
    String about,
    String why,
    String document,
    Disposition aws,
    Disposition nvidia,
    Disposition balanced,
    boolean escalates,
    Optional<Grace> grace,
    List<Form> forms,
    Duration openAfter,
    Duration closeAfter,
    List<Threshold> thresholds,
    List<Metric> needs,
    List<Metric> reads,
    List<Metric> trends) {

  /** The form of a finding that is younger than {@code until}, in the time that the agent ran. */
  public record Grace(Disposition form, Duration until) {}

  /** The action of the finding {@code when}, as the end of a sentence. */
  public record Form(String when, Disposition disposition) {}

  /**
   * A number that a site may set; {@code about} has the source of the preset.
   *
   * @param balanced the preset of profile {@code balanced}, where that differs
   */
  public record Threshold(
      String name,
      double preset,
      OptionalDouble balanced,
      double least,
      double most,
      String unit,
      String about) {}

  /** Whether a finding with this value of the label {@code rule} is of this rule. */
  public boolean hasFinding(String label) {
    return findings.isEmpty() ? label.equals(name) : findings.contains(label);
  }

  /** A rule without delays, thresholds and metrics, which does not affect the verdict. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  public static final class Builder {
    private final String name;
    private List<String> findings = List.of();
    private String about = "";
    private String why = "";
    private String document = "";
    private Disposition aws = Disposition.info();
    private Disposition nvidia = Disposition.info();
    private Optional<Disposition> balanced = Optional.empty();
    private boolean escalates;
    private Optional<Grace> grace = Optional.empty();
    private final List<Form> forms = new ArrayList<>();
    private Duration openAfter = Duration.ZERO;
    private Duration closeAfter = Duration.ZERO;
    private final List<Threshold> thresholds = new ArrayList<>();
    private List<Metric> needs = List.of();
    private List<Metric> reads = List.of();
    private List<Metric> trends = List.of();

    private Builder(String name) {
      this.name = name;
    }

    /** The label {@code rule} of its findings, where it has several for one subject. */
    public Builder findings(List<String> names) {
      findings = List.copyOf(names);
      return this;
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

    /** Where it differs from profile {@code nvidia}. */
    public Builder balanced(Disposition disposition) {
      balanced = Optional.of(disposition);
      return this;
    }

    public Builder escalates() {
      escalates = true;
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
      thresholds.add(
          new Threshold(threshold, preset, OptionalDouble.empty(), least, most, unit, ""));
      return this;
    }

    /** The preset of the last threshold under profile {@code balanced}. */
    public Builder presetOfBalanced(double preset) {
      Threshold last = thresholds.remove(thresholds.size() - 1);
      thresholds.add(
          new Threshold(
              last.name(),
              last.preset(),
              OptionalDouble.of(preset),
              last.least(),
              last.most(),
              last.unit(),
              last.about()));
      return this;
    }

    /** The meaning of the last threshold, and the source of its preset. */
    public Builder meaning(String sentence) {
      Threshold last = thresholds.remove(thresholds.size() - 1);
      thresholds.add(
          new Threshold(
              last.name(),
              last.preset(),
              last.balanced(),
              last.least(),
              last.most(),
              last.unit(),
              sentence));
      return this;
    }

    /** A state has the milder form until it has lasted that long. */
    public Builder startsAs(Disposition form, Duration until) {
      grace = Optional.of(new Grace(form, until));
      return this;
    }

    /** Another form of the fault: {@code while the unit is not running}. */
    public Builder form(String when, Disposition disposition) {
      forms.add(new Form(when, disposition));
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
          findings,
          about,
          why,
          document,
          aws,
          nvidia,
          balanced.orElse(nvidia),
          escalates,
          grace,
          List.copyOf(forms),
          openAfter,
          closeAfter,
          List.copyOf(thresholds),
          needs,
          reads,
          trends);
    }
  }
}
