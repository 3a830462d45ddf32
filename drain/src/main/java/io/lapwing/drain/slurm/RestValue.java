package io.lapwing.drain.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The values of slurmrestd, whose form depends on the version of its API: a number may be {@code 7}
 * or {@code {"set": true, "infinite": false, "number": 7}}, a list {@code ["a","b"]} or {@code
 * "a,b"}, and an absent text {@code null} or {@code ""}.
 */
final class RestValue {

  private RestValue() {}

  /**
   * @throws UnreadableAnswer if there is no such member: absent texts are there, too
   */
  static JsonNode member(JsonNode json, String name) throws UnreadableAnswer {
    JsonNode value = json.path(name);
    if (value.isMissingNode()) {
      throw new UnreadableAnswer("slurmrestd shows something without " + name, json.toString());
    }
    return value;
  }

  static String text(JsonNode json, String name) {
    return json.path(name).asText("");
  }

  /** Empty if it is not set, or infinite. */
  static Optional<Long> number(JsonNode json, String name) throws UnreadableAnswer {
    JsonNode value = member(json, name);
    JsonNode number = value.isObject() ? value.path("number") : value;
    boolean set =
        !value.isObject()
            || (value.path("set").asBoolean(true) && !value.path("infinite").asBoolean());
    return set && number.isIntegralNumber() ? Optional.of(number.longValue()) : Optional.empty();
  }

  /** Seconds since 1970; 0 is Slurm's word for none. */
  static Optional<Instant> time(JsonNode json, String name) throws UnreadableAnswer {
    return number(json, name).filter(seconds -> seconds > 0).map(Instant::ofEpochSecond);
  }

  static Set<String> list(JsonNode json, String name) {
    Set<String> all = new LinkedHashSet<>();
    JsonNode value = json.path(name);
    if (value.isArray()) {
      value.forEach(one -> all.add(one.asText()));
    } else {
      all.addAll(Arrays.asList(text(json, name).split(",", -1)));
    }
    all.remove("");
    return all;
  }

  /** States, in capitals. */
  static Set<String> words(JsonNode json, String name) {
    Set<String> words = new LinkedHashSet<>();
    list(json, name).forEach(word -> words.add(word.toUpperCase(Locale.ROOT)));
    return words;
  }
}
