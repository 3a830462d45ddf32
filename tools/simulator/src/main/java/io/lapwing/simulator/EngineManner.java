package io.lapwing.simulator;

/** How a {@link FakeEngine} answers. */
public enum EngineManner {
  /** As it should. */
  PROMPT,
  /** As it should, compressed. */
  GZIP,
  /** Not at all; the connection stays. */
  SILENT,
  /** A byte every tenth of a second. */
  TRICKLE,
  /** Lines without an end. */
  ENDLESS,
  /** In chunks of which the last never comes. */
  CUT,
  /** With less than it announced. */
  SHORT,
  /** With a page for people. */
  HTML,
  /** With status 500. */
  ERROR,
  /** That the page is elsewhere. */
  REDIRECT
}
