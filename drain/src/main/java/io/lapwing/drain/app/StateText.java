package io.lapwing.drain.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.common.text.PlainText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The documents of the API as text for a terminal. */
final class StateText {

  private StateText() {}

  static String status(JsonNode document) {
    StringBuilder text = new StringBuilder();
    stops(text, document);
    line(
        text,
        "NOT RELOADED, the previous configuration stays in effect: ",
        document.path("notReloaded"));
    for (JsonNode one : document.path("inputProblems")) {
      text.append("INPUT: ").append(plain(one)).append('\n');
    }
    for (JsonNode one : document.path("brake")) {
      text.append("no further node is taken: ")
          .append(plain(one.path("why")))
          .append(" (")
          .append(plain(one.path("limit")))
          .append("), until ")
          .append(plain(one.path("until")))
          .append('\n');
    }
    document
        .path("calls")
        .forEach(call -> text.append("a person has to act: ").append(plain(call)).append('\n'));
    text.append("modes:");
    document
        .path("modes")
        .properties()
        .forEach(
            mode ->
                text.append(' ').append(mode.getKey()).append('=').append(plain(mode.getValue())));
    text.append('\n');
    JsonNode open = document.path("remediations");
    if (open.isEmpty()) {
      text.append("no remediation is open\n");
    }
    open.forEach(one -> remediation(text, one));
    return text.toString();
  }

  private static void stops(StringBuilder text, JsonNode document) {
    line(text, "NOT READY: ", document.path("notReady"));
    line(text, "PAUSED: ", document.path("paused"));
  }

  private static void remediation(StringBuilder text, JsonNode one) {
    text.append(plain(one.path("node")))
        .append("  ")
        .append(plain(one.path("phase")))
        .append(one.path("holdsNode").asBoolean() ? " (held)" : "")
        .append(" since ")
        .append(plain(one.path("since")))
        .append(", ")
        .append(plain(one.path("action")))
        .append(": ")
        .append(plain(one.path("why")))
        .append('\n');
    line(
        text,
        one.path("forPerson").asBoolean() ? "  waits for a person: " : "  waits for: ",
        one.path("waitsFor"));
  }

  static String explain(JsonNode document) {
    StringBuilder text = new StringBuilder();
    stops(text, document);
    JsonNode node = document.path("scheduler");
    text.append(plain(document.path("node")))
        .append(": ")
        .append(
            node.isMissingNode() ? "the scheduler does not list it" : plain(node.path("service")));
    line(text, ", reason: ", node.path("reason"));
    if (text.charAt(text.length() - 1) != '\n') {
      text.append('\n');
    }
    for (JsonNode other : node.path("others")) {
      text.append("beside the controller: ").append(plain(other)).append('\n');
    }
    for (JsonNode job : document.path("jobs")) {
      text.append("job ")
          .append(plain(job.path("id")))
          .append(job.path("user").asText().isEmpty() ? "" : " of " + plain(job.path("user")))
          .append(" on ")
          .append(PlainText.count(job.path("nodes").asInt(), "node"))
          .append('\n');
    }
    JsonNode open = document.path("remediation");
    if (open.isMissingNode()) {
      text.append("no remediation is open\n");
    } else {
      remediation(text, open);
    }
    for (JsonNode course : document.path("courses")) {
      text.append("remediation ")
          .append(plain(course.path("id")))
          .append(course.has("ended") ? ", ended " + plain(course.path("ended")) : ", open")
          .append('\n');
      line(text, "  the reason of the node before it: ", course.path("earlierReason"));
      text.append(decisions(course.path("decisions")));
    }
    return text.toString();
  }

  static String history(JsonNode document) {
    List<JsonNode> latestFirst = new ArrayList<>();
    document.path("decisions").forEach(latestFirst::add);
    Collections.reverse(latestFirst);
    String text = decisions(latestFirst);
    return text.isEmpty() ? "nothing was decided\n" : text;
  }

  private static String decisions(Iterable<JsonNode> entries) {
    return StreamSupport.stream(entries.spliterator(), false)
        .map(
            entry ->
                plain(entry.path("at"))
                    + "  "
                    + (entry.has("node")
                        ? plain(entry.path("node")) + "  " + plain(entry.path("phase")) + "  "
                        : "")
                    + plain(entry.path("what"))
                    + (entry.has("by") ? " (" + plain(entry.path("by")) + ")" : "")
                    + (entry.has("atStake") ? " [" + plain(entry.path("atStake")) + "]" : "")
                    + "\n")
        .collect(Collectors.joining());
  }

  private static void line(StringBuilder text, String what, JsonNode value) {
    if (!value.isMissingNode() && !value.asText().isEmpty()) {
      text.append(what).append(plain(value)).append('\n');
    }
  }

  /** Reasons are written by users: none may move the cursor of a terminal. */
  private static String plain(JsonNode value) {
    return value.asText().replaceAll("\\p{Cntrl}", " ");
  }
}
