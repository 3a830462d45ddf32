package io.lapwing.jobs;

import java.util.List;

/** What one source says of all GPUs in one round. */
sealed interface Answer {

  Answer NOT_HERE = new NotHere();
  Answer SILENT = new Silent();

  /** This node has no such source. */
  record NotHere() implements Answer {}

  /** It should be there and says nothing. Why was counted. */
  record Silent() implements Answer {}

  /**
   * It answers.
   *
   * @param claims in no certain order
   * @param whole whether all that it says was understood, so that a GPU without a claim is free as
   *     far as it knows
   */
  record Told(List<Claim> claims, boolean whole) implements Answer {

    public Told {
      claims = List.copyOf(claims);
    }
  }

  /** Nobody has what this source knows of. */
  static Answer nobody() {
    return new Told(List.of(), true);
  }
}
