package io.lapwing.common.web;

import java.util.Map;

/**
 * A request that changes something.
 *
 * @param user who is authenticated; empty where the message authenticates itself
 * @param headers by name, in lower case
 */
@SuppressWarnings("ArrayRecordComponent") // read once
public record Submission(String user, Map<String, String> headers, byte[] body) {

  /** Handles the POST requests of a path. May wait. */
  @FunctionalInterface
  public interface Action {
    Page.Answer answer(Submission submission);
  }

  public Submission {
    headers = Map.copyOf(headers);
  }
}
