package io.lapwing.packaging;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.maven.artifact.versioning.ComparableVersion;

/**
 * A record of the OSV schema 1.x about one Maven package.
 *
 * @param library {@code group:artifact}
 * @param affects whether a version of it is affected
 * @param fixed the first fixed versions; may be empty
 */
record Advisory(
    String id, String summary, String library, Predicate<String> affects, List<String> fixed) {

  /** One for each affected Maven package; none of a withdrawn record. */
  static List<Advisory> of(JsonNode record) {
    List<Advisory> advisories = new ArrayList<>();
    if (record.hasNonNull("withdrawn")) {
      return advisories;
    }
    for (JsonNode affected : record.path("affected")) {
      if (affected.path("package").path("ecosystem").asText().equals("Maven")) {
        advisories.add(
            new Advisory(
                record.path("id").asText(),
                record.path("summary").asText(),
                affected.path("package").path("name").asText(),
                version -> isAffected(affected, version),
                fixed(affected)));
      }
    }
    return advisories;
  }

  private static boolean isAffected(JsonNode affected, String version) {
    for (JsonNode listed : affected.path("versions")) {
      if (listed.asText().equals(version)) {
        return true;
      }
    }
    for (JsonNode range : affected.path("ranges")) {
      if (range.path("type").asText().equals("ECOSYSTEM")
          && isWithin(range.path("events"), new ComparableVersion(version))) {
        return true;
      }
    }
    return false;
  }

  /** The events of a range are in the order of their versions: introduced, fixed, introduced. */
  private static boolean isWithin(JsonNode events, ComparableVersion version) {
    boolean within = false;
    for (JsonNode event : events) {
      if (text(event, "introduced").filter(from -> isFrom(version, from)).isPresent()) {
        within = true;
      } else if (text(event, "fixed").filter(from -> isFrom(version, from)).isPresent()) {
        within = false;
      } else if (text(event, "last_affected")
          .filter(last -> version.compareTo(new ComparableVersion(last)) > 0)
          .isPresent()) {
        within = false;
      }
    }
    return within;
  }

  private static boolean isFrom(ComparableVersion version, String first) {
    return first.equals("0") || version.compareTo(new ComparableVersion(first)) >= 0;
  }

  private static List<String> fixed(JsonNode affected) {
    List<String> versions = new ArrayList<>();
    for (JsonNode range : affected.path("ranges")) {
      for (JsonNode event : range.path("events")) {
        text(event, "fixed").ifPresent(versions::add);
      }
    }
    return versions;
  }

  private static Optional<String> text(JsonNode node, String name) {
    return Optional.ofNullable(node.get(name)).map(JsonNode::asText);
  }
}
