package io.lapwing.rules.promql;

/** A query that cannot be read. The message has the place. */
public final class PromqlException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  PromqlException(String query, int at, String wrong) {
    super(wrong + " at character " + at + " of: " + query);
  }
}
