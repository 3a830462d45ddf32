package io.lapwing.agent.actions;

import io.lapwing.node.Platform;
import io.lapwing.table.CsvTable;
import io.lapwing.table.CsvTable.Row;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** {@code actions.csv}: the commands of each step on each platform. */
public final class ActionTable {

  private static final String FILE = "actions.csv";

  private final List<Entry> entries;

  private ActionTable(List<Entry> entries) {
    this.entries = entries;
  }

  /**
   * A command with its placeholders.
   *
   * @param note when to run it and what it does; may be empty
   * @param source the document that describes it
   */
  public record Entry(
      Set<Platform> platforms, Step step, String command, String note, String source) {

    public Entry {
      platforms = Set.copyOf(platforms);
    }
  }

  /** Reads the table, which is small; {@link IllegalStateException} if it is malformed. */
  public static ActionTable load() {
    return new ActionTable(
        CsvTable.read(ActionTable.class, FILE).stream().map(ActionTable::entry).toList());
  }

  /** The commands of a step in their order. */
  public List<Entry> of(Platform platform, Step step) {
    return entries.stream()
        .filter(entry -> entry.step() == step && entry.platforms().contains(platform))
        .toList();
  }

  private static Entry entry(Row row) {
    Set<Platform> platforms = EnumSet.noneOf(Platform.class);
    Arrays.stream(row.text("platforms").split(" ", -1))
        .map(id -> Platform.of(id).orElseThrow(() -> unknown(row, "platform", id)))
        .forEach(platforms::add);
    String step = row.text("step");
    return new Entry(
        platforms,
        Step.of(step).orElseThrow(() -> unknown(row, "step", step)),
        row.text("command"),
        row.text("note"),
        row.text("source"));
  }

  private static IllegalStateException unknown(Row row, String what, String id) {
    return new IllegalStateException(row.place() + ": unknown " + what + " " + id);
  }
}
