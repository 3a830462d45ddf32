package io.lapwing.agent.web;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The {@code collect[]} and {@code exclude[]} of a URL. */
sealed interface CollectorFilter {

  /** No filter. */
  record All() implements CollectorFilter {}

  record Some(Predicate<String> collectors) implements CollectorFilter {}

  record Wrong(String sentence) implements CollectorFilter {}

  static CollectorFilter of(Query query, Set<String> known) {
    List<String> collect = query.parameters("collect[]");
    List<String> exclude = query.parameters("exclude[]");
    if (!collect.isEmpty() && !exclude.isEmpty()) {
      return new Wrong("collect[] and exclude[] are mutually exclusive");
    }
    List<String> names = collect.isEmpty() ? exclude : collect;
    for (String name : names) {
      if (!known.contains(name)) {
        return new Wrong(unknown(name, known));
      }
    }
    if (names.isEmpty()) {
      return new All();
    }
    Set<String> named = Set.copyOf(names);
    return new Some(collect.isEmpty() ? name -> !named.contains(name) : named::contains);
  }

  private static String unknown(String name, Set<String> known) {
    return "unknown collector '"
        + name
        + "'; enabled collectors: "
        + String.join(", ", new TreeSet<>(known));
  }
}
