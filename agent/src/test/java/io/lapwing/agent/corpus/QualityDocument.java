package io.lapwing.agent.corpus;

import io.lapwing.agent.health.Profile;
import io.lapwing.table.CsvTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code docs/health-quality.md}: the corpus as judged, and what others say to the same lines. */
final class QualityDocument {

  private static final String INTRODUCTION =
      """
      # Quality of the verdict

      Generated from the labelled corpus in `agent/src/test/resources/corpus`; a test fails if the two differ.
      `./lapwing evaluate-corpus` evaluates the corpus again and prints the tables.

      Each case of the corpus is what a node logs and measures, with the verdict, action, urgency, cause and victims that an
      experienced operator would give, and the reason in a sentence. Labels come from NVIDIA's XID catalogue and documents, AWS's
      advice and the kernel's sources, not from the output of the agent. A case is judged once for each profile that it labels, by the
      running agent's health engine on a virtual clock; a case that is only a log also by `lapwing replay`, and both must be right.

      | outcome | meaning |
      |---|---|
      | bad node kept | judged better than labelled: a lower action or verdict, or later |
      | healthy node taken | judged worse than labelled: a higher action or verdict, or sooner; includes alarms on healthy nodes |
      | wrong cause | verdict, action and urgency are right, but the findings that count are others, or a victim is blamed |
      | right | all of it |

      The cases are made by hand from documented messages and from faults that were found in reviews, so the shares below say how well
      the rules cover known forms of faults. They are not rates of a fleet, and the rules were corrected with such cases in view.

      """;

  private final StringBuilder page = new StringBuilder(INTRODUCTION);

  private QualityDocument() {}

  static String markdown(List<Judgement> judged) {
    QualityDocument document = new QualityDocument();
    document.page.append("## Results\n\n").append(table(judged));
    document.profiles(judged);
    document.slow(judged);
    document.misses(judged);
    document.peers(judged);
    return document.page.toString();
  }

  /** The confusion matrix: a row for each theme and the sum. */
  static String table(List<Judgement> judged) {
    StringBuilder table = new StringBuilder();
    table.append(
        "| theme | cases | judgements | bad node kept | healthy node taken | wrong cause | right"
            + " |\n");
    table.append("|---|---|---|---|---|---|---|\n");
    judged.stream()
        .collect(
            Collectors.groupingBy(
                one -> one.one().theme(), LinkedHashMap::new, Collectors.toList()))
        .forEach((theme, some) -> table.append(row(theme, some)));
    return table.append(row("**all**", judged)).append('\n').toString();
  }

  private static String row(String name, List<Judgement> some) {
    Map<Outcome, Long> counts = counts(some);
    return String.format(
        Locale.ROOT,
        "| %s | %d | %d | %d | %d | %d | %d (%.1f %%) |%n",
        name,
        some.stream().map(one -> one.one().name()).distinct().count(),
        some.size(),
        counts.getOrDefault(Outcome.KEPT, 0L),
        counts.getOrDefault(Outcome.TAKEN, 0L),
        counts.getOrDefault(Outcome.WRONG_CAUSE, 0L),
        counts.getOrDefault(Outcome.RIGHT, 0L),
        100.0 * counts.getOrDefault(Outcome.RIGHT, 0L) / some.size());
  }

  private static Map<Outcome, Long> counts(List<Judgement> some) {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      counts.put(outcome, some.stream().filter(one -> one.outcome() == outcome).count());
    }
    return counts;
  }

  private void profiles(List<Judgement> judged) {
    page.append("By profile:\n\n")
        .append(
            "| profile | judgements | bad node kept | healthy node taken | wrong cause | right |\n")
        .append("|---|---|---|---|---|---|\n");
    for (Profile profile : Profile.values()) {
      List<Judgement> some = judged.stream().filter(one -> one.profile() == profile).toList();
      Map<Outcome, Long> counts = counts(some);
      page.append(
          String.format(
              Locale.ROOT,
              "| `%s` | %d | %d | %d | %d | %d |%n",
              profile,
              some.size(),
              counts.getOrDefault(Outcome.KEPT, 0L),
              counts.getOrDefault(Outcome.TAKEN, 0L),
              counts.getOrDefault(Outcome.WRONG_CAUSE, 0L),
              counts.getOrDefault(Outcome.RIGHT, 0L)));
    }
    long bad = judged.stream().filter(one -> !one.label().equals(Label.HEALTHY)).count();
    page.append(
        String.format(
            Locale.ROOT,
            "%n%d of the %d labels require something of the node, %d are healthy.%n%n",
            bad,
            judged.size(),
            judged.size() - bad));
  }

  /** How well a slow GPU is found among its siblings. */
  private void slow(List<Judgement> judged) {
    List<Judgement> all =
        judged.stream().filter(one -> one.one().theme().startsWith("Slow GPUs")).toList();
    long slow = all.stream().filter(one -> !one.label().equals(Label.HEALTHY)).count();
    long found =
        all.stream().filter(one -> !one.label().equals(Label.HEALTHY) && one.right()).count();
    long accused =
        all.stream().filter(one -> one.label().equals(Label.HEALTHY) && !one.right()).count();
    page.append(
        String.format(
            Locale.ROOT,
            "Slow GPUs: %d of %d nodes with one are found (recall %.2f), and %d of %d without one are"
                + " accused (precision %.2f).%n%n",
            found,
            slow,
            (double) found / slow,
            accused,
            all.size() - slow,
            (double) found / (found + accused)));
  }

  private void misses(List<Judgement> judged) {
    page.append("## Known misses\n\n");
    List<Judgement> wrong = judged.stream().filter(one -> !one.right()).toList();
    if (wrong.isEmpty()) {
      page.append("None.\n\n");
      return;
    }
    page.append("| case | profile | label | outcome | why |\n|---|---|---|---|---|\n");
    for (Judgement one : wrong) {
      page.append(
          "| `%s` | `%s` | %s | %s | %s |%n"
              .formatted(
                  one.one().name(),
                  one.profile(),
                  one.label(),
                  one.outcome().text(),
                  one.one().miss()));
    }
    page.append('\n');
  }

  private void peers(List<Judgement> judged) {
    page.append(
        """
        ## The same messages elsewhere

        What the sources of other agents say to the same message: gpud at commit 4a8de33 (2026-08-22), NVSentinel at commit 0f60731
        (2026-07-14), the EKS node monitoring agent v1.7.0 (2026-08-18). Read in their sources and not run; empty where unknown. *fatal*
        marks the GPU or node as unhealthy, *event* only records. Lapwing's columns are as judged above.

        | case | label `aws` | Lapwing `aws` | gpud | NVSentinel | EKS agent |
        |---|---|---|---|---|---|
        """);
    for (CsvTable.Row row : CsvTable.read(Case.class, "/corpus/peers.csv")) {
      List<Judgement> found = new ArrayList<>(judged);
      found.removeIf(
          one -> one.profile() != Profile.AWS || !one.one().name().equals(row.text("case")));
      if (found.size() != 1) {
        throw new IllegalArgumentException(row.place() + ": no such case under aws");
      }
      Judgement one = found.get(0);
      page.append(
          "| `%s` | %s | %s | %s | %s | %s |%n"
              .formatted(
                  row.text("case"),
                  action(one.label()),
                  one.outcome() == Outcome.RIGHT ? "as labelled" : one.outcome().text(),
                  row.text("gpud"),
                  row.text("nvsentinel"),
                  row.text("eks_nma")));
    }
  }

  private static String action(Label label) {
    String text = label.toString();
    int end = text.indexOf(':');
    return end < 0 ? text : text.substring(0, end);
  }
}
