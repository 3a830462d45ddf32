package io.lapwing.agent.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What options were called in older versions of the configuration.
 *
 * @param version the newest there is
 */
record OldKeys(int version, List<Renamed> renamed, List<Removed> removed) {

  /** No key was renamed or removed yet. */
  static final OldKeys TODAY = new OldKeys(1, List.of(), List.of());

  /**
   * A key under its old name.
   *
   * @param since the first version without the old name
   */
  record Renamed(String old, String now, int since) {

    String warning() {
      return old + ": is called " + now + " since version " + since;
    }
  }

  /**
   * A key that is no more.
   *
   * @param instead what to do without it, as a sentence
   */
  record Removed(String old, int since, String instead) {

    String warning() {
      return old + ": is no more since version " + since + " and has no effect; " + instead;
    }
  }

  Optional<Renamed> renamed(String key) {
    return renamed.stream().filter(one -> one.old().equals(key)).findFirst();
  }

  Optional<Removed> removed(String key) {
    return removed.stream().filter(one -> one.old().equals(key)).findFirst();
  }

  /** The old names, which may be sections that no option is in any more. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    renamed.forEach(one -> names.add(one.old()));
    removed.forEach(one -> names.add(one.old()));
    return names;
  }

  /** The option that a variable meant. */
  Optional<Renamed> variable(String name) {
    return renamed.stream().filter(one -> Option.variable(one.old()).equals(name)).findFirst();
  }

  /**
   * A command line in the words of today.
   *
   * @param warnings gets a line for each old word
   */
  List<String> flags(List<String> args, List<String> warnings) {
    List<String> words = new ArrayList<>(args);
    for (Renamed one : renamed) {
      words.replaceAll(word -> flag(word, one, warnings));
    }
    return words;
  }

  private static String flag(String word, Renamed key, List<String> warnings) {
    for (String dashes : List.of("--", "--no-")) {
      String old = dashes + key.old();
      if (word.equals(old) || word.startsWith(old + "=")) {
        warnings.add("flag " + old + ": is called " + dashes + key.now() + " now");
        return dashes + key.now() + word.substring(old.length());
      }
    }
    return word;
  }
}
