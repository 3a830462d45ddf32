package io.lapwing.lustre;

import io.lapwing.linux.KernelNumber;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An {@code import} file. It looks like YAML but is not (NIDs are unquoted before 2.16, keys lack
 * their heading), so it is parsed line by line; unused keys may differ between versions.
 *
 * @param state empty if it is unknown to this version, or the file was truncated
 * @param nid of the connected server; empty for {@code <none>}
 * @param inflight requests without a reply
 * @param timeouts requests that timed out, since the mount
 * @param attempts connection attempts since the mount
 * @param averageWait seconds per request, as averaged by the kernel
 * @param serviceEstimate seconds within which a server is expected to reply
 * @param networkEstimate seconds that the network adds
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

  private static final String STATE = "state";
  private static final String NID_KEY = "current_connection";
  private static final String VERSION_KEY = "target_version";
  private static final String IN_FLIGHT = "inflight";
  private static final String TIMEOUTS = "timeouts";
  private static final String ATTEMPTS = "connection_attempts";
  private static final String WAIT = "avg_waittime";
  private static final String SERVICES = "services";
  private static final String NETWORK = "network";

  private static final Set<String> KEYS =
      Set.of(STATE, NID_KEY, VERSION_KEY, IN_FLIGHT, TIMEOUTS, ATTEMPTS, WAIT, SERVICES, NETWORK);

  private static final Pattern VERSION = Pattern.compile("[0-9][0-9A-Za-z._-]{0,39}");
  private static final Pattern NID = Pattern.compile("[0-9A-Za-z:.,_-]{1,80}@[0-9a-z]{1,24}");
  private static final double MICROSECONDS = 1e6;

  static ImportFile parse(KernelText text) throws ParseFailure {
    if (text.lines().isEmpty() || !text.lines().get(0).equals("import:")) {
      throw text.failure(0, "not an import");
    }
    Pairs pairs = Pairs.of(text);
    return new ImportFile(
        pairs.text(STATE).flatMap(ImportState::named),
        pairs.nid(),
        pairs.version(),
        pairs.number(IN_FLIGHT, 1),
        pairs.number(TIMEOUTS, 1),
        pairs.number(ATTEMPTS, 1),
        pairs.number(WAIT, MICROSECONDS, "usec", "usecs"),
        pairs.number(SERVICES, 1, "sec", "secs"),
        pairs.number(NETWORK, 1, "sec", "secs"));
  }

  /** The first value of each key and the index of its line. */
  private record Pairs(KernelText text, Map<String, Integer> lines, Map<String, String> values) {

    static Pairs of(KernelText text) {
      Map<String, Integer> lines = new HashMap<>();
      Map<String, String> values = new HashMap<>();
      for (int i = 1; i < text.lines().size(); i++) {
        String line = text.lines().get(i);
        int colon = line.indexOf(": ");
        String key = colon < 0 ? "" : line.substring(0, colon).strip();
        if (KEYS.contains(key) && lines.putIfAbsent(key, i) == null) {
          values.put(key, line.substring(colon + 2).strip());
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
      String key = NID_KEY;
      // Quoted from 2.16 on.
      Optional<String> nid = text(key).map(value -> value.replace("\"", ""));
      if (nid.isEmpty() || nid.get().equals("<none>")) {
        return Optional.empty();
      }
      if (!NID.matcher(nid.get()).matches()) {
        throw failure(key, " is not a NID");
      }
      return nid;
    }

    Optional<String> version() throws ParseFailure {
      String key = VERSION_KEY;
      Optional<String> version = text(key);
      if (version.isPresent() && !VERSION.matcher(version.get()).matches()) {
        throw failure(key, " is not a version");
      }
      return version;
    }

    /** A number followed by one of the units, or by nothing if no unit is given. */
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
      OptionalDouble number = fits ? KernelNumber.unsigned(words[0]) : OptionalDouble.empty();
      if (number.isEmpty()) {
        throw failure(key, " is not a 64-bit number with its unit");
      }
      return OptionalDouble.of(number.getAsDouble() / perBaseUnit);
    }
  }
}
