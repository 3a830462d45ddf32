package io.lapwing.agent.web;

import java.io.IOException;

/** What should be the JSON of {@code /api/v1/health} and is not; the message names the place. */
public final class UnreadableHealth extends IOException {

  UnreadableHealth(String problem) {
    super(problem);
  }
}
