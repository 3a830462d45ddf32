package io.lapwing.simulator;

/** How a {@link FakeEngine} answers. */
public enum EngineManner {
  /** Correctly. */
  PROMPT,
  /** Correctly, compressed. */
  GZIP,
  /** Not at all; the connection stays open. */
  SILENT,
  /** A byte every tenth of a second. */
  TRICKLE,
  /** Endless lines. */
  ENDLESS,
  /** In chunks without a final one. */
  CUT,
  /** With less than its content length. */
  SHORT,
  /** With an HTML page. */
  HTML,
  /** With status 500. */
  ERROR,
  /** With a redirect. */
  REDIRECT
}
