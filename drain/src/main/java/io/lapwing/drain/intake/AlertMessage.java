package io.lapwing.drain.intake;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lapwing.drain.intake.Json.Unusable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A message with alerts. Unknown members are ignored; a bad alert does not lose the others.
 *
 * @param alerts those that can be read
 * @param unusable why others cannot
 * @param truncated number of alerts that the sender left out
 */
public record AlertMessage(List<Alert> alerts, List<Outcome> unusable, long truncated) {

  /** Alertmanager sends all alerts of a group; a cluster of 1,000 nodes has no more. */
  private static final int MOST_ALERTS = 2_000;

  public AlertMessage {
    alerts = List.copyOf(alerts);
    unusable = List.copyOf(unusable);
  }

  /** Which messages are accepted. */
  public enum Format {
    /** {@code "version": "4"}. */
    WEBHOOK,
    /** The same, or {@code "version": "1", "source": "lapwing"}: the template for AMP. */
    WEBHOOK_OR_TEMPLATE
  }

  /**
   * Reads a message.
   *
   * @throws Unusable if nothing of it can be used
   */
  public static AlertMessage read(byte[] json, Format format) throws Unusable {
    Reading reading = new Reading();
    Json.members(json, "message", reading::member);
    reading.checkVersion(format);
    if (!reading.hasAlerts) {
      throw new Unusable(Result.MALFORMED, "alerts: missing");
    }
    return new AlertMessage(reading.alerts, reading.unusable, reading.truncated);
  }

  private static final class Reading {
    private final List<Alert> alerts = new ArrayList<>();
    private final List<Outcome> unusable = new ArrayList<>();
    private String version = "";
    private String source = "";
    private long truncated;
    private boolean hasAlerts;

    private void member(String name, JsonParser value) throws IOException, Unusable {
      switch (name) {
        case "version" -> version = text(value);
        case "source" -> source = text(value);
        case "truncatedAlerts" -> truncated = count(value);
        case "alerts" -> alerts(value);
        default -> {
          // Later versions may have more.
        }
      }
    }

    private static String text(JsonParser value) throws IOException {
      return value.currentToken() == JsonToken.VALUE_STRING ? value.getText() : "not a text";
    }

    private static long count(JsonParser value) throws IOException, Unusable {
      if (value.currentToken() != JsonToken.VALUE_NUMBER_INT) {
        throw new Unusable(Result.MALFORMED, "truncatedAlerts: not a number");
      }
      long count = value.getLongValue();
      if (count < 0) {
        throw new Unusable(Result.MALFORMED, "truncatedAlerts: less than 0");
      }
      return count;
    }

    private void alerts(JsonParser value) throws IOException, Unusable {
      if (value.currentToken() != JsonToken.START_ARRAY) {
        throw new Unusable(Result.MALFORMED, "alerts: not an array");
      }
      hasAlerts = true;
      for (int i = 0; value.nextToken() != JsonToken.END_ARRAY; i++) {
        if (i >= MOST_ALERTS) {
          throw new Unusable(Result.TOO_LARGE, "alerts: more than " + MOST_ALERTS);
        }
        try {
          alerts.add(Alert.of(Json.tree(value), "alerts[" + i + "]"));
        } catch (Unusable one) {
          unusable.add(one.outcome());
        }
      }
    }

    private void checkVersion(Format format) throws Unusable {
      boolean template = version.equals("1") && source.equals("lapwing");
      if (!version.equals("4") && !(template && format == Format.WEBHOOK_OR_TEMPLATE)) {
        String shown = version.isEmpty() ? "missing" : Words.plain(version, 40);
        throw new Unusable(
            Result.WRONG_VERSION, "version: " + shown + "; 4 of Alertmanager is supported");
      }
    }
  }
}
