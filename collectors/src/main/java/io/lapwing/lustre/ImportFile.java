package io.lapwing.lustre;

import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An {@code import} file. It looks like YAML and is none (NIDs stand unquoted before 2.16, keys
 * come without their heading), so lines are taken one by one; keys that nobody asks for may change
 * from version to version.
 *
 * @param state empty for a state that only a later version knows, and where the file was cut off
 * @param nid to which server it is connected; empty for {@code <none>}
 * @param inflight requests that have not been answered
 * @param timeouts requests that were not answered in time, since the mount
 * @param attempts to connect, since the mount
 * @param averageWait of a request, in seconds, as the kernel averages it
 * @param serviceEstimate by which time a server is expected to answer, in seconds
 * @param networkEstimate what the network adds to it, in seconds
 */
record ImportFile(
    Optional<ImportState> state,
    Optional<String> nid,
    Optional<String> targetVersion,
    OptionalDouble inflight,
    OptionalDouble timeouts,
    OptionalDouble attempts,
    OptionalDouble averageWait,
    OptionalDouble serviceEstimate,
    OptionalDouble networkEstimate) {

  private static final Pattern PAIR = Pattern.compile(" +([A-Za-z_-]{1,40}): (.{1,4096})");
  private static final Pattern VERSION = Pattern.compile("[0-9][0-9A-Za-z._-]{0,39}");
  private static final Pattern NID = Pattern.compile("[0-9A-Za-z:.,_-]{1,80}@[0-9a-z]{1,24}");
  private static final double MICROSECONDS = 1e6;

  static ImportFile parse(KernelText text) throws ParseFailure {
    if (text.lines().isEmpty() || !text.lines().get(0).equals("import:")) {
      throw text.failure(0, "no import");
    }
    Pairs pairs = Pairs.of(text);
    return new ImportFile(
        pairs.text("state").flatMap(ImportState::named),
        pairs.nid(),
        pairs.version(),
        pairs.number("inflight", 1),
        pairs.number("timeouts", 1),
        pairs.number("connection_attempts", 1),
        pairs.number("avg_waittime", MICROSECONDS, "usec", "usecs"),
        pairs.number("services", 1, "sec", "secs"),
        pairs.number("network", 1, "sec", "secs"));
  }

  /** The first value of each key with the index of its line. */
  private record Pairs(KernelText text, Map<String, Integer> lines, Map<String, String> values) {

    static Pairs of(KernelText text) {
      Map<String, Integer> lines = new HashMap<>();
      Map<String, String> values = new HashMap<>();
      for (int i = 1; i < text.lines().size(); i++) {
        Matcher form = PAIR.matcher(text.lines().get(i));
        if (form.matches() && lines.putIfAbsent(form.group(1), i) == null) {
          values.put(form.group(1), form.group(2).strip());
        }
      }
      return new Pairs(text, lines, values);
    }

    Optional<String> text(String key) {
      return Optional.ofNullable(values.get(key));
    }

    private ParseFailure failure(String key, String why) {
      return text.failure(lines.getOrDefault(key, 0), key + why);
    }

    Optional<String> nid() throws ParseFailure {
      String key = "current_connection";
      // Quoted from 2.16 on.
      Optional<String> nid = text(key).map(value -> value.replace("\"", ""));
      if (nid.isEmpty() || nid.get().equals("<none>")) {
        return Optional.empty();
      }
      if (!NID.matcher(nid.get()).matches()) {
        throw failure(key, " is no NID");
      }
      return nid;
    }

    Optional<String> version() throws ParseFailure {
      String key = "target_version";
      Optional<String> version = text(key);
      if (version.isPresent() && !VERSION.matcher(version.get()).matches()) {
        throw failure(key, " is no version");
      }
      return version;
    }

    /** A number with one of some units behind it, or with none where none is named. */
    OptionalDouble number(String key, double perBaseUnit, String... units) throws ParseFailure {
      String value = values.get(key);
      if (value == null) {
        return OptionalDouble.empty();
      }
      String[] words = value.split(" +", -1);
      boolean fits =
          units.length == 0
              ? words.length == 1
              : words.length == 2 && List.of(units).contains(words[1]);
      OptionalDouble number = fits ? Digits.unsigned(words[0]) : OptionalDouble.empty();
      if (number.isEmpty()) {
        throw failure(key, " is no number of 64 bits in its unit");
      }
      return OptionalDouble.of(number.getAsDouble() / perBaseUnit);
    }
  }
}
