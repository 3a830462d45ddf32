package io.lapwing.drain.guard;

/**
 * Why no further action is permitted now.
 *
 * @param limit the setting, as in the configuration: {@code budget.nodes}
 * @param why with the numbers, for people
 * @param until what ends it, for people
 */
public record Objection(String limit, String why, String until) {

  @Override
  public String toString() {
    return why + " (" + limit + "); until " + until;
  }
}
