package io.lapwing.drain.intake;

/**
 * What became of a message, or of an alert in it.
 *
 * @param what names the alert or message, the field and the reason
 */
public record Outcome(Result result, String what) {

  @Override
  public String toString() {
    return result.word() + ": " + what;
  }
}
