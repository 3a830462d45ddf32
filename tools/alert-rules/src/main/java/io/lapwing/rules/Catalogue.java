package io.lapwing.rules;

import io.lapwing.rules.promql.Expr;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Every series that a query may name: Lapwing's, recordings, and those of other exporters. */
public final class Catalogue {

  /** Labels that the shipped scrape configurations add. */
  public static final Set<String> TARGET = Set.of("cluster", "instance", "job");

  private final Map<String, Family> families;

  private Catalogue(Map<String, Family> families) {
    this.families = new TreeMap<>(families);
  }

  /**
   * All known metrics: {@code docs/metrics.md}, which a test of the agent compares with its code,
   * {@code docs/drain-metrics.md} of the drain controller, those that Prometheus adds, and recorded
   * ones.
   *
   * @param root the repository
   */
  public static Catalogue of(Path root) {
    Map<String, Family> families = new LinkedHashMap<>();
    Path docs = root.resolve("docs");
    Stream.of(
            MetricsDocument.read(docs.resolve("metrics.md")).stream()
                .map(Foreign::ofDcgmExporter)
                .toList(),
            MetricsDocument.read(docs.resolve("drain-metrics.md")),
            Foreign.FAMILIES)
        .flatMap(List::stream)
        .map(family -> family.with(TARGET))
        .forEach(family -> families.merge(family.name(), family, Catalogue::merged));
    Path rules = root.resolve("alert-rules");
    return new Catalogue(families)
        .with(
            Stream.of("", "core", "automation", "dcgm", "drain")
                .map(set -> RuleFiles.read(rules.resolve(set)))
                .reduce(new RuleFiles(List.of()), RuleFiles::and));
  }

  /** This catalogue plus the recordings of some rules. */
  public Catalogue with(RuleFiles rules) {
    Catalogue known = new Catalogue(families);
    // A recording may read a later one.
    int before = -1;
    while (known.size() != before) {
      before = known.size();
      for (Rule rule : rules.recordings()) {
        Set<String> labels = new LinkedHashSet<>(known.labels(rule.query()));
        labels.addAll(rule.labels().keySet());
        known.families.merge(
            rule.name(), new Family(rule.name(), false, labels), Catalogue::merged);
      }
    }
    return known;
  }

  private int size() {
    return families.values().stream().mapToInt(family -> 1 + family.labels().size()).sum();
  }

  private static Family merged(Family one, Family other) {
    return one.with(other.labels());
  }

  public Optional<Family> family(String name) {
    return Optional.ofNullable(families.get(name));
  }

  /** All labels of all series. */
  Set<String> everyLabel() {
    Set<String> labels = new LinkedHashSet<>(Set.of("__name__"));
    families.values().forEach(family -> labels.addAll(family.labels()));
    return labels;
  }

  /** The labels that the result of a query may have. */
  public Set<String> labels(Expr query) {
    return new Labels(this).of(query);
  }
}
