package io.lapwing.drain.intake;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.NodeResolver.Found;
import io.lapwing.drain.intake.NodeResolver.NotFound;
import io.lapwing.drain.intake.NodeResolver.Resolution;
import io.lapwing.drain.request.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Requests of people: {@code POST /api/v1/requests} with
 *
 * <pre>
 * {"node": "gpu-17", "action": "reset_gpu", "urgency": "job_end", "reason": "..."}
 * </pre>
 *
 * <p>{@code urgency} may be absent: {@code job_end}. All problems are reported at once.
 */
public final class OperatorRequests {

  private static final int MOST_BYTES = 16 * 1024;
  private static final int MOST_REASON = 500;
  private static final Set<String> FIELDS = Set.of("node", "action", "urgency", "reason");

  private final RequestIntake requests;
  private final NodeResolver nodes;

  public OperatorRequests(RequestIntake requests, NodeResolver nodes) {
    this.requests = requests;
    this.nodes = nodes;
  }

  /**
   * Handles a POST.
   *
   * @param user who is authenticated
   */
  public Reply answer(String user, byte[] body, Instant now) {
    Intake intake = requests.report(Channel.OPERATOR, take(user, body, now));
    return intake.reply();
  }

  private Intake take(String user, byte[] body, Instant now) {
    if (body.length > MOST_BYTES) {
      return Intake.of(Result.TOO_LARGE, "request: more than " + MOST_BYTES + " bytes");
    }
    try {
      return new Intake(List.of(requests.take(request(user, body, now), now)));
    } catch (Unusable e) {
      return e.intake();
    }
  }

  private Request request(String user, byte[] body, Instant now) throws Unusable {
    JsonNode json = Json.object(body, "request");
    List<String> problems = new ArrayList<>();
    Optional<NodeName> node = node(json, problems);
    Optional<Remedy> action = parsed(json, "action", Remedy::parse, problems);
    action
        .filter(remedy -> !remedy.takesNode())
        .ifPresent(remedy -> problems.add("action: " + remedy.word() + " needs no node"));
    Optional<Urgency> urgency =
        json.has("urgency")
            ? parsed(json, "urgency", Urgency::parse, problems)
            : Optional.of(Urgency.JOB_END);
    Optional<String> reason = reason(json, problems);
    Set<String> unknown = new TreeSet<>();
    json.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(FIELDS);
    unknown.forEach(name -> problems.add(Words.plain(name, 60) + ": unknown field"));
    if (node.isEmpty() || action.isEmpty() || urgency.isEmpty() || reason.isEmpty()) {
      throw new Unusable(result(problems), String.join("; ", problems));
    }
    if (!problems.isEmpty()) {
      throw new Unusable(Result.MALFORMED, String.join("; ", problems));
    }
    String who = "operator " + Words.plain(user, 60);
    return new Request(
        who + "/" + node.get() + "/" + action.get().word() + "/" + now,
        node.get(),
        action.get(),
        urgency.get(),
        "",
        reason.get(),
        who,
        now,
        false);
  }

  /** To repeat it helps only if nothing else is wrong. */
  private static Result result(List<String> problems) {
    return problems.equals(List.of(NOT_YET)) ? Result.NODES_UNKNOWN : Result.MALFORMED;
  }

  private static final String NOT_YET = "node: the scheduler has not answered yet";

  private Optional<NodeName> node(JsonNode json, List<String> problems) {
    Optional<String> text = text(json, "node", problems);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Resolution resolution = nodes.resolve(text.get());
    if (resolution instanceof Found found) {
      return Optional.of(found.node());
    }
    problems.add(resolution instanceof NotFound not ? "node: " + not.why() : NOT_YET);
    return Optional.empty();
  }

  private static <T> Optional<T> parsed(
      JsonNode json, String field, Function<String, Optional<T>> parse, List<String> problems) {
    Optional<String> text = text(json, field, problems);
    Optional<T> value = text.flatMap(parse);
    if (text.isPresent() && value.isEmpty()) {
      problems.add(field + ": not known: " + Words.plain(text.get(), 40));
    }
    return value;
  }

  private static Optional<String> reason(JsonNode json, List<String> problems) {
    Optional<String> text = text(json, "reason", problems);
    if (text.isPresent() && !Words.plain(text.get(), MOST_REASON).equals(text.get())) {
      problems.add("reason: at most " + MOST_REASON + " characters on one line");
      return Optional.empty();
    }
    return text;
  }

  private static Optional<String> text(JsonNode json, String field, List<String> problems) {
    JsonNode value = json.path(field);
    if (value.isTextual() && !value.textValue().isBlank()) {
      return Optional.of(value.textValue());
    }
    problems.add(field + ": " + (value.isMissingNode() ? "missing" : "not a text"));
    return Optional.empty();
  }
}
