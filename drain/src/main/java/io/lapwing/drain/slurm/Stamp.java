package io.lapwing.drain.slurm;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Our reason before a node's comment, for platforms that replace the reason itself: {@code
 * lapwing-drain 1798854460-8 @2026-11-25T19:00:00Z | comment of the site}.
 *
 * @param since when we drained the node, or told the platform to repair it
 * @param comment of the site
 */
record Stamp(String reason, Instant since, String comment) {

  private static final Pattern TEXT =
      Pattern.compile("(lapwing-drain [^ |]+) @([-0-9T:]{19}Z)(?: \\| (.*))?", Pattern.DOTALL);

  /** Empty if the comment has none. */
  static Optional<Stamp> of(String comment) {
    Matcher text = TEXT.matcher(comment);
    if (!text.matches()) {
      return Optional.empty();
    }
    try {
      String site = text.group(3);
      return Optional.of(
          new Stamp(text.group(1), Instant.parse(text.group(2)), site == null ? "" : site));
    } catch (DateTimeException e) {
      return Optional.empty(); // of another user
    }
  }

  /** A node's comment with this reason before it, instead of an earlier one. */
  static String with(SlurmNode node, String reason, Instant now) {
    String site = without(node);
    String stamp = reason + " @" + now.truncatedTo(ChronoUnit.SECONDS);
    return site.isEmpty() ? stamp : stamp + " | " + site;
  }

  /** A node's comment as the site wrote it. */
  static String without(SlurmNode node) {
    return of(node.comment()).map(Stamp::comment).orElse(node.comment());
  }
}
