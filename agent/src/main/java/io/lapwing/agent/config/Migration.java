package io.lapwing.agent.config;

import java.util.ArrayList;
import java.util.List;

/**
 * Brings one file to the version of today. What version a file is of is known at its end only, so
 * what is met under an old name is judged then.
 */
final class Migration {

  /** The key that says of what version a file is; 1 where it is not there. */
  static final String VERSION = "version";

  private final OldKeys oldKeys;
  private final List<Old> met = new ArrayList<>();
  private String newer = "";
  private int version = 1;

  private record Old(int since, String line) {}

  Migration(OldKeys oldKeys) {
    this.oldKeys = oldKeys;
  }

  /**
   * Takes the version that a file gives itself.
   *
   * @throws BadValue where it is no version
   */
  void version(String place, String text) throws BadValue {
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw new BadValue("is not a version of the configuration, which is a number from 1 on");
    }
    version = Integer.parseInt(text);
    if (version > oldKeys.version()) {
      newer =
          place
              + (": this file is of version " + version)
              + (", and this agent knows versions up to " + oldKeys.version() + "; ")
              + "take a newer agent, or write the file for that version";
    }
  }

  /** The name that a key has today. */
  String today(String place, String key) {
    oldKeys
        .removed(key)
        .ifPresent(one -> met.add(new Old(one.since(), place + ": " + one.warning())));
    return oldKeys
        .renamed(key)
        .map(
            one -> {
              met.add(new Old(one.since(), place + ": " + one.warning()));
              return one.now();
            })
        .orElse(key);
  }

  boolean isRemoved(String key) {
    return oldKeys.removed(key).isPresent();
  }

  /** An old name is a mistake in a file that says it is of a version without it. */
  void settle(Layer layer) {
    for (Old one : met) {
      (one.since() <= version ? layer.problems() : layer.warnings()).add(one.line());
    }
    if (!newer.isEmpty()) {
      // Whatever else seems wrong may be right in that version.
      layer.given().clear();
      layer.problems().clear();
      layer.problems().add(newer);
    }
  }
}
