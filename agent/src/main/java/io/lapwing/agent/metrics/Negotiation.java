package io.lapwing.agent.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

public final class Negotiation {
  private static final String OPENMETRICS = "application/openmetrics-text";

  private Negotiation() {}

  /**
   * OpenMetrics if its quality is at least that of text; text even if the client accepts neither.
   */
  public static PageFormat format(@Nullable String accept) {
    List<Preference> preferences = parse(accept);
    double openMetrics = quality(preferences, Negotiation::namesOpenMetrics);
    double text = quality(preferences, Negotiation::coversText);
    return openMetrics > 0 && openMetrics >= text
        ? PageFormat.OPENMETRICS_1_0_0
        : PageFormat.TEXT_0_0_4;
  }

  /** Whether the Accept-Encoding header allows gzip. */
  public static boolean gzip(@Nullable String acceptEncoding) {
    return quality(parse(acceptEncoding), Negotiation::coversGzip) > 0;
  }

  /** A member of an Accept header. */
  private record Preference(String name, Map<String, String> parameters, double quality) {}

  /** How specifically a preference names OpenMetrics 1.0; 0 for a wildcard. */
  private static int namesOpenMetrics(Preference preference) {
    return preference.name().equals(OPENMETRICS) ? version(preference, "1.0.0") : 0;
  }

  private static int coversText(Preference preference) {
    return switch (preference.name()) {
      case "text/plain" -> 2 + version(preference, "0.0.4");
      case "text/*" -> 2;
      case "*/*" -> 1;
      default -> 0;
    };
  }

  private static int coversGzip(Preference preference) {
    return switch (preference.name()) {
      case "gzip", "x-gzip" -> 2;
      case "*" -> 1;
      default -> 0;
    };
  }

  /** So low that a preference for another version never covers a format. */
  private static final int ANOTHER_VERSION = -8;

  /** 2 for this version, 1 without a version. */
  private static int version(Preference preference, String version) {
    String requested = preference.parameters().get("version");
    if (requested == null) {
      return 1;
    }
    return requested.equals(version) ? 2 : ANOTHER_VERSION;
  }

  /** The quality of the most specific matching preference; 0 if none matches. */
  private static double quality(
      List<Preference> preferences, ToIntFunction<Preference> specificity) {
    double quality = 0;
    int best = 0;
    for (Preference preference : preferences) {
      int specific = specificity.applyAsInt(preference);
      if (specific > best) {
        best = specific;
        quality = preference.quality();
      }
    }
    return quality;
  }

  private static List<Preference> parse(@Nullable String header) {
    List<Preference> preferences = new ArrayList<>();
    if (header != null) {
      for (String member : split(header, ',')) {
        List<String> parts = split(member, ';');
        Map<String, String> parameters = parameters(parts.subList(1, parts.size()));
        preferences.add(
            new Preference(parts.get(0).toLowerCase(Locale.ROOT), parameters, quality(parameters)));
      }
    }
    return preferences;
  }

  private static Map<String, String> parameters(List<String> parts) {
    Map<String, String> parameters = new HashMap<>();
    for (String part : parts) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        parameters.put(
            part.substring(0, equals).strip().toLowerCase(Locale.ROOT),
            part.substring(equals + 1).strip().replace("\"", ""));
      }
    }
    return parameters;
  }

  /** An invalid quality counts as 1. */
  private static double quality(Map<String, String> parameters) {
    try {
      double quality = Double.parseDouble(parameters.getOrDefault("q", "1"));
      return quality >= 0 && quality <= 1 ? quality : 1;
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  private static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    for (int end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
      parts.add(text.substring(start, end).strip());
      start = end + 1;
    }
    parts.add(text.substring(start).strip());
    return parts;
  }
}
