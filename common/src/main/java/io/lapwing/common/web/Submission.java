package io.lapwing.common.web;

import java.util.Map;

/**
 * A request that changes something.
 *
 * @param user the authenticated user; empty if the message carries its signature
 * @param headers by name, in lower case
 */
@SuppressWarnings("ArrayRecordComponent") // read once
public record Submission(String user, Map<String, String> headers, byte[] body) {

  /** Handles the POST requests of a path. May wait. */
  @FunctionalInterface
  public interface Action {
    Page.Answer answer(Submission submission);

    /** The answer to a body of more than {@code mostBytes}, which is dropped. */
    default Page.Answer tooLarge(int mostBytes) {
      return Page.Answer.text(413, "more than " + mostBytes + " bytes");
    }
  }

  public Submission {
    headers = Map.copyOf(headers);
  }
}
