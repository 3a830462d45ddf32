package io.lapwing.lustre;

import io.lapwing.collect.Reading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Lists the folders of all mounts and targets. If one cannot be listed, the last list is kept. */
final class LustreFolders {

  private final LustreRoots roots;
  private List<LustreName> mounts = List.of();
  private List<LustreName> targets = List.of();
  private Optional<Reading.Failed<?>> failure = Optional.empty();

  LustreFolders(LustreRoots roots) {
    this.roots = roots;
  }

  /** All mounts, the newest last. */
  List<LustreName> mounts() {
    return mounts;
  }

  /** The targets of all mounts. */
  List<LustreName> targets() {
    return targets;
  }

  Optional<Reading.Failed<?>> failure() {
    return failure;
  }

  /** The modules are not loaded, so nothing is mounted. */
  void clear() {
    mounts = List.of();
    targets = List.of();
  }

  void list() {
    Reading<Set<String>> llite = roots.folders(LustreName.MOUNTS);
    Reading<Set<String>> osc = roots.folders(LustreName.OSC);
    Reading<Set<String>> mdc = roots.folders(LustreName.MDC);
    failure = Optional.empty();
    for (Reading<Set<String>> one : List.of(llite, osc, mdc)) {
      if (one instanceof Reading.Failed<?> failed) {
        failure = Optional.of(failed);
        return;
      }
    }
    mounts = inOrder(mounts, names(llite, LustreName::mount));
    Set<LustreName> found = names(osc, LustreName::target);
    found.addAll(names(mdc, LustreName::target));
    targets = inOrder(targets, found);
  }

  private static Set<LustreName> names(
      Reading<Set<String>> folders, Function<String, Optional<LustreName>> parser) {
    Set<LustreName> names = new TreeSet<>(Comparator.comparing(LustreName::folder));
    folders
        .toOptional()
        .ifPresent(all -> all.forEach(name -> parser.apply(name).ifPresent(names::add)));
    return names;
  }

  /** Known ones first, so that the newest mount is the last. */
  private static List<LustreName> inOrder(List<LustreName> before, Set<LustreName> now) {
    List<LustreName> all = new ArrayList<>(before);
    all.retainAll(now);
    now.stream().filter(one -> !before.contains(one)).forEach(all::add);
    return List.copyOf(all);
  }
}
