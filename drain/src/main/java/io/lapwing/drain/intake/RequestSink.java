package io.lapwing.drain.intake;

import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** Takes requests: the controller. Called by one thread at a time. */
@FunctionalInterface
public interface RequestSink {

  /**
   * Takes a request in. Repetitions change nothing.
   *
   * @return why it is not taken; empty if it is
   * @throws IOException if it cannot be written down; it has to be repeated
   */
  Optional<String> request(Request request, Instant now) throws IOException;

  /**
   * Makes the requests of one message. Decisions come after the last one, unless they take some
   * seconds, so that a storm is detected before the first of its nodes is taken.
   */
  default void together(Runnable requests) {
    requests.run();
  }
}
