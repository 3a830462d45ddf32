package io.lapwing.agent.actions;

import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.Severity;
import io.lapwing.table.CsvTable;
import io.lapwing.table.CsvTable.Row;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** {@code runbooks.csv}: the runbook of each rule. */
public final class Runbooks {

  private static final String FILE = "runbooks.csv";
  private static final String ANY = "*";

  private static final Runbooks SHIPPED =
      new Runbooks(CsvTable.read(Runbooks.class, FILE).stream().map(Runbooks::entry).toList());

  private final List<Entry> entries;

  private Runbooks(List<Entry> entries) {
    this.entries = entries;
  }

  /**
   * A row.
   *
   * @param rules names; one that ends with {@code *} is the start of names
   * @param runbook {@code LapwingXid}; empty if the rules have none
   * @param info the runbook of findings of severity info; empty if it is the same
   * @param also when another runbook applies, in Markdown; may be empty
   */
  public record Entry(List<String> rules, String runbook, String info, String also) {

    public Entry {
      rules = List.copyOf(rules);
    }

    private boolean has(String rule) {
      return rules.stream()
          .anyMatch(
              name ->
                  name.endsWith(ANY)
                      ? rule.startsWith(name.substring(0, name.length() - 1))
                      : rule.equals(name));
    }

    private String of(Severity severity) {
      return severity == Severity.INFO && !info.isEmpty() ? info : runbook;
    }
  }

  /** As shipped. */
  public static Runbooks shipped() {
    return SHIPPED;
  }

  public List<Entry> entries() {
    return entries;
  }

  /** The names of all of them, sorted. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    entries.forEach(entry -> names.addAll(List.of(entry.runbook(), entry.info())));
    names.remove("");
    return names;
  }

  /** The name of the runbook of a finding; empty if it has none. */
  public Optional<String> of(Finding finding) {
    return entries.stream()
        .filter(entry -> entry.has(finding.rule()))
        .findFirst()
        .map(entry -> entry.of(finding.disposition().severity()))
        .filter(name -> !name.isEmpty());
  }

  private static Entry entry(Row row) {
    return new Entry(
        Arrays.asList(row.text("rules").split(" ", -1)),
        row.text("runbook"),
        row.text("info"),
        row.text("also"));
  }
}
