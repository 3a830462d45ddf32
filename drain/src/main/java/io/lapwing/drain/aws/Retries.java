package io.lapwing.drain.aws;

import io.lapwing.drain.aws.AwsApi.Reply;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** Retries a throttled request, at most twice: the node is out of service meanwhile. */
final class Retries {

  /** Injected: a test does not sleep. */
  interface Pause {
    void of(Duration time) throws InterruptedException;
  }

  private static final int TRIES = 3;
  private static final Duration FIRST = Duration.ofSeconds(1);

  private final AwsApi api;
  private final Pause pause;

  Retries(AwsApi api, Pause pause) {
    this.api = api;
    this.pause = pause;
  }

  /**
   * The result of the last reply; unclear without a reply, and where the last try was not carried
   * out and an earlier one may have been.
   */
  CommandResult post(
      Map<String, String> headers, String body, Function<Reply, CommandResult> meaning) {
    try {
      Reply reply = api.post(headers, body);
      CommandResult result = meaning.apply(reply);
      boolean unclear = result instanceof Unclear;
      Duration wait = FIRST;
      for (int tries = 1; reply.isTransient() && tries < TRIES; tries++) {
        pause.of(wait);
        wait = wait.multipliedBy(2);
        reply = api.post(headers, body);
        result = meaning.apply(reply);
        unclear |= result instanceof Unclear;
      }
      return unclear ? afterUnclear(result) : result;
    } catch (IOException e) {
      return new Unclear("AWS: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Unclear("AWS: interrupted");
    }
  }

  /**
   * That the last attempt was not carried out does not show that the first was not; that may be
   * why.
   */
  private static CommandResult afterUnclear(CommandResult last) {
    if (last instanceof NotYet later) {
      return afterUnclear(later.why());
    }
    return last instanceof Refused refused ? afterUnclear(refused.why()) : last;
  }

  private static CommandResult afterUnclear(String why) {
    return new Unclear(why + ", after an answer that left it unclear");
  }
}
