package io.lapwing.agent.names;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The changes of a file, and the places that need a review. */
final class Edits {

  /** The place is that of the file. */
  record Warning(int place, String text) {}

  private record Edit(int from, int to, String text) {}

  private final List<Edit> all;
  private final List<Warning> warnings;
  private final Passage passage;

  Edits(String file) {
    this(
        new ArrayList<>(),
        new ArrayList<>(),
        Passage.plain(Passage.Kind.OTHER, file, 0, file.length()));
  }

  private Edits(List<Edit> all, List<Warning> warnings, Passage passage) {
    this.all = all;
    this.warnings = warnings;
    this.passage = passage;
  }

  /** The same changes, with places in a passage. */
  Edits of(Passage part) {
    return new Edits(all, warnings, part);
  }

  void insert(int at, String text) {
    replace(at, at, text);
  }

  void replace(int from, int to, String text) {
    all.add(new Edit(passage.place(from), passage.place(to), text));
  }

  void warn(int at, String text) {
    warnings.add(new Warning(passage.place(at), text));
  }

  List<Warning> warnings() {
    return warnings.stream().sorted(Comparator.comparingInt(Warning::place)).toList();
  }

  int count() {
    return all.size();
  }

  /**
   * The file with the changes; what is inserted at a place comes before what is replaced there. Of
   * changes that overlap, as in a broken expression, the first is made.
   */
  String apply(String file) {
    StringBuilder text = new StringBuilder();
    int done = 0;
    for (Edit edit :
        all.stream()
            .sorted(Comparator.comparingInt(Edit::from).thenComparingInt(Edit::to))
            .toList()) {
      if (edit.from() >= done) {
        text.append(file, done, edit.from()).append(edit.text());
        done = edit.to();
      }
    }
    return text.append(file, done, file.length()).toString();
  }
}
