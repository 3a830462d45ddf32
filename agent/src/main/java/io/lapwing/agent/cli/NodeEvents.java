package io.lapwing.agent.cli;

import io.lapwing.agent.cli.AgentPages.Answer;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventLog;
import io.lapwing.agent.events.Limits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The events of this node, oldest first: from the running agent, or else from its event log. */
public final class NodeEvents {

  /** The maximum that the API returns. */
  private static final int MAX_EVENTS = 10_000;

  private final List<EventRow> rows;
  private final Optional<String> unanswered;

  private NodeEvents(List<EventRow> rows, Optional<String> unanswered) {
    this.rows = List.copyOf(rows);
    this.unanswered = unanswered;
  }

  /**
   * Queries the agent, and reads the log if the agent does not answer.
   *
   * @param state the directory of the event log
   * @throws IOException if the response cannot be read, or if neither has events
   */
  public static NodeEvents since(Instant since, AgentPages agent, Path state)
      throws IOException, InterruptedException {
    NodeEvents asked = ofAgent(since, agent);
    if (asked.unanswered.isEmpty()) {
      return asked;
    }
    List<EventRow> recorded = new ArrayList<>();
    for (Event event : EventLog.recorded(state, Limits.DEFAULT)) {
      recorded.add(EventRow.of(event));
    }
    if (recorded.isEmpty()) {
      String none = "; there are no events in " + state + " either, or none that you may read";
      throw new IOException(asked.unanswered.get() + none);
    }
    recorded.removeIf(row -> row.at().isBefore(since));
    return new NodeEvents(recorded, asked.unanswered);
  }

  static NodeEvents ofAgent(Instant since, AgentPages agent)
      throws IOException, InterruptedException {
    Answer answer = agent.get("/api/v1/events?limit=" + MAX_EVENTS + "&since=" + since);
    return answer instanceof Answer.Page page
        ? new NodeEvents(EventRow.of(page.body()), Optional.empty())
        : new NodeEvents(List.of(), Optional.of(((Answer.None) answer).why()));
  }

  /**
   * These, which the agent sent.
   *
   * @throws IOException if it did not
   */
  NodeEvents answered() throws IOException {
    if (unanswered.isPresent()) {
      throw new IOException(unanswered.get());
    }
    return this;
  }

  List<EventRow> rows() {
    return rows;
  }

  /** Why the agent did not send them. */
  Optional<String> unanswered() {
    return unanswered;
  }

  /** One JSON object a line. */
  public String json() {
    StringBuilder text = new StringBuilder();
    rows.forEach(row -> text.append(row.json()).append('\n'));
    return text.toString();
  }
}
