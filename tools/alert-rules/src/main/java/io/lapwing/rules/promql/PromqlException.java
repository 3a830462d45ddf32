package io.lapwing.rules.promql;

/** A query that cannot be parsed. The message has the position. */
public final class PromqlException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  PromqlException(String query, int at, String wrong) {
    super(wrong + " at character " + at + " of: " + query);
  }
}
