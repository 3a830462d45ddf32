package io.lapwing.agent.sources;

import io.lapwing.gpu.DcgmFields;
import io.lapwing.gpu.DcgmFields.DcgmField;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.DcgmNames;
import io.lapwing.gpu.DcgmNames.Rename;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * Fields of one interval: names, or patterns such as {@code DCGM_FI_PROF_*}.
 *
 * @param place of the patterns, with file and line
 * @param rest whether it has the fields of no other group
 */
record FieldGroup(String name, String place, boolean rest, List<String> patterns) {

  private static final DcgmFields FIELDS = DcgmFields.load();

  /** The classic name of a field that has one. */
  private static String classic(String name) {
    return FIELDS.named(name).map(DcgmField::name).orElse(name);
  }

  /**
   * Patterns and groups that match none of these fields, and fields in two groups: no value depends
   * on a group.
   */
  static List<String> warnings(List<FieldGroup> groups, List<String> names) {
    Set<String> fields = watched(names);
    List<String> warnings = new ArrayList<>();
    for (FieldGroup group : groups) {
      List<String> unmatched =
          group.patterns.stream()
              .filter(pattern -> fields.stream().noneMatch(field -> matches(pattern, field)))
              .toList();
      if (!unmatched.isEmpty() && unmatched.size() == group.patterns.size()) {
        warnings.add(group.place + ": the group " + group.name + " matches no field of the list");
      } else {
        unmatched.forEach(
            pattern ->
                warnings.add(group.place + ": '" + pattern + "' matches no field of the list"));
      }
    }
    for (String field : fields) {
      inTwo(groups, field).ifPresent(warnings::add);
    }
    restTwice(groups).ifPresent(warnings::add);
    return warnings;
  }

  /** The fields under their classic names, and those that the exporter's own families read. */
  private static Set<String> watched(List<String> names) {
    Set<String> fields = new LinkedHashSet<>(names.stream().map(FieldGroup::classic).toList());
    for (String name : names) {
      if (name.startsWith("DCGM_EXP_XID_ERRORS_")) {
        fields.add(DcgmMetrics.XID_ERRORS.name());
      } else if (name.startsWith("DCGM_EXP_CLOCK_EVENTS_")) {
        fields.add(DcgmMetrics.CLOCKS_EVENT_REASONS.name());
      }
    }
    return fields;
  }

  private static Optional<String> inTwo(List<FieldGroup> groups, String field) {
    List<FieldGroup> its =
        groups.stream().filter(group -> !group.rest && group.has(field)).limit(2).toList();
    return its.size() < 2
        ? Optional.empty()
        : Optional.of(
            its.get(1).place + ": " + field + " is in the group " + its.get(0).name + ", too");
  }

  private static Optional<String> restTwice(List<FieldGroup> groups) {
    List<FieldGroup> rests = groups.stream().filter(FieldGroup::rest).toList();
    return rests.size() < 2
        ? Optional.empty()
        : Optional.of(
            rests.get(1).place + ": the group " + rests.get(0).name + " has all fields, too");
  }

  private boolean has(String field) {
    return patterns.stream().anyMatch(pattern -> matches(pattern, field));
  }

  /** A field has its classic name, that of DCGM's header, and that of dcgm-exporter 4.9. */
  private static boolean matches(String pattern, String field) {
    if (classic(pattern).equals(field)) {
      return true;
    }
    try {
      PathMatcher glob = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
      return Stream.concat(
              Stream.of(field, FIELDS.named(field).map(DcgmField::newName).orElse(field)),
              DcgmNames.SHIPPED.ofClassic(field).map(Rename::name).stream())
          .map(Path::of)
          .anyMatch(glob::matches);
    } catch (PatternSyntaxException | InvalidPathException malformed) {
      return false;
    }
  }
}
