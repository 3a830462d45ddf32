package io.lapwing.drain.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.common.config.DurationText;
import io.lapwing.common.text.FileProblem;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import io.lapwing.common.web.Routes;
import io.lapwing.common.web.Submission;
import io.lapwing.drain.intake.Channel;
import io.lapwing.drain.intake.Intake;
import io.lapwing.drain.intake.NodeDirectory;
import io.lapwing.drain.intake.NodeResolver.Found;
import io.lapwing.drain.intake.NodeResolver.NotFound;
import io.lapwing.drain.intake.NodeResolver.Resolution;
import io.lapwing.drain.intake.Reply;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.queue.QueueWatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** All pages of the controller. */
record DrainPages(
    State state,
    Supplier<Policy> policy,
    Receivers receivers,
    NodeDirectory directory,
    KillSwitch killSwitch,
    Optional<QueueWatch> queue,
    DrainMetrics metrics,
    InstantSource clock,
    String version) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_ALERTS = 1 << 20;
  private static final int MOST_REQUEST = 16 * 1024;

  void add(Routes routes) {
    routes.scrape(
        "/metrics",
        query ->
            Answer.ok(
                "text/plain; version=0.0.4; charset=utf-8",
                metrics.text().getBytes(StandardCharsets.UTF_8)));
    routes.probe("/-/healthy", "healthy", query -> Answer.text(200, "healthy"));
    routes.probe("/-/ready", "ready", query -> ready());
    routes.get("/", "landing", query -> Answer.moved("ui"));
    routes.get("/ui", "ui", new DrainUi(state, policy, version));
    routes.probe(
        "/api/v1/status",
        "status",
        query -> json(StateJson.bytes(StateJson.status(state, policy.get(), version))));
    routes.get("/api/v1/explain/{node}", "explain", this::explain);
    routes.get("/api/v1/why/{job}", "why", this::why);
    routes.get("/api/v1/history", "history", this::history);
    routes.post(
        "/api/v1/alerts",
        "alerts",
        MOST_ALERTS,
        counted(
            Channel.ALERTMANAGER,
            sent -> reply(receivers.alertmanager().answer(sent.body(), clock.instant()))));
    routes.post(
        "/api/v1/requests",
        "requests",
        MOST_REQUEST,
        counted(
            Channel.OPERATOR,
            sent ->
                reply(receivers.operators().answer(sent.user(), sent.body(), clock.instant()))));
    routes.post("/api/v1/pause", "pause", MOST_REQUEST, this::pause);
    routes.post("/api/v1/unpause", "unpause", MOST_REQUEST, this::unpause);
    receivers
        .sns()
        .ifPresent(
            sns ->
                routes.postSigned(
                    "/api/v1/sns",
                    "sns",
                    MOST_ALERTS,
                    counted(
                        Channel.SNS,
                        sent -> reply(sns.answer(sent.headers(), sent.body(), clock.instant())))));
  }

  /** A message that is too large is counted and logged as the others that are refused. */
  private Submission.Action counted(Channel channel, Submission.Action action) {
    return new Submission.Action() {
      @Override
      public Answer answer(Submission sent) {
        return action.answer(sent);
      }

      @Override
      public Answer tooLarge(int mostBytes) {
        Intake refused = Intake.of(Result.TOO_LARGE, "message: more than " + mostBytes + " bytes");
        return reply(receivers.intake().report(channel, refused).reply());
      }
    };
  }

  private Answer ready() {
    return state
        .notReady()
        .map(why -> Answer.text(503, "not ready: " + why))
        .orElseGet(() -> Answer.text(200, "ready"));
  }

  private Answer explain(Query query) {
    Resolution found = directory.resolve(query.path("node"));
    if (found instanceof Found node) {
      return json(StateJson.bytes(StateJson.explain(state, node.node())));
    }
    return found instanceof NotFound not
        ? Answer.text(404, not.why())
        : Answer.text(503, "the scheduler has not answered yet");
  }

  private Answer why(Query query) {
    if (queue.isEmpty()) {
      return Answer.text(404, "the queue of this scheduler is not read");
    }
    Optional<String> problem = queue.get().last().problem();
    return problem.isPresent()
        ? Answer.text(503, "the queue cannot be read: " + problem.get())
        : queue
            .get()
            .why(query.path("job"))
            .map(words -> Answer.text(200, words))
            .orElseGet(() -> Answer.text(404, "no such job waits"));
  }

  private Answer history(Query query) {
    List<String> since = query.parameters("since");
    Instant start = Instant.EPOCH;
    if (!since.isEmpty()) {
      Optional<Duration> time = DurationText.read(since.get(0));
      if (time.isEmpty()) {
        return Answer.text(400, "since: not a duration such as 1h or 7d");
      }
      start = clock.instant().minus(time.get());
    }
    return json(StateJson.bytes(StateJson.history(state, killSwitch.history(), start)));
  }

  private Answer pause(Submission sent) {
    try {
      JsonNode reason = JSON.readTree(sent.body()).path("reason");
      if (!reason.isTextual() || reason.asText().isBlank()) {
        return Answer.text(400, "reason: missing");
      }
      return Answer.text(200, killSwitch.pause(sent.user(), reason.asText(), clock.instant()));
    } catch (JsonProcessingException broken) {
      return Answer.text(400, "the request is not JSON");
    } catch (IOException unwritten) {
      return Answer.text(
          503,
          "paused until the controller ends, since it cannot be written: "
              + FileProblem.of(unwritten));
    }
  }

  private Answer unpause(Submission sent) {
    try {
      return Answer.text(
          200,
          killSwitch.unpause(sent.user(), clock.instant())
              ? "no longer paused"
              : "it was not paused");
    } catch (IOException unwritten) {
      return Answer.text(503, "still paused: " + FileProblem.of(unwritten));
    }
  }

  private static Answer reply(Reply reply) {
    return Answer.text(reply.status(), reply.text());
  }

  private static Answer json(byte[] body) {
    return Answer.ok("application/json", body);
  }
}
