package io.lapwing.stack.fleet;

import java.util.function.Function;

/** A part of a response: constant, or dependent on node and time. */
sealed interface Piece {

  /**
   * Appends itself to a response.
   *
   * @param seconds since the recording
   */
  void write(PageText out, PlayedNode node, double seconds);

  /** Constant ASCII text. */
  record Fixed(String text) implements Piece {
    @Override
    public void write(PageText out, PlayedNode node, double seconds) {
      out.add(text);
    }
  }

  /** A label value that identifies the node. */
  record Identity(Function<PlayedNode, String> who) implements Piece {
    @Override
    public void write(PageText out, PlayedNode node, double seconds) {
      out.add(who.apply(node));
    }
  }

  /** A counter, which continues at the rate between two recordings; some nodes are faster. */
  record Counting(double from, double perSecond, boolean whole) implements Piece {
    @Override
    public void write(PageText out, PlayedNode node, double seconds) {
      double value = from + perSecond * node.speed() * seconds;
      out.add(whole ? Math.floor(value) : value, whole);
    }
  }

  /** A gauge that varies between its two recordings, together with the other gauges. */
  record Swaying(double one, double other, boolean whole) implements Piece {
    @Override
    public void write(PageText out, PlayedNode node, double seconds) {
      double share = PlayedNode.scatter(node.index(), (long) seconds);
      out.add(one + (other - one) * share, whole);
    }
  }

  /** A timestamp that follows the clock, such as the last evaluation. */
  record Passing(double from) implements Piece {
    @Override
    public void write(PageText out, PlayedNode node, double seconds) {
      out.add(from + seconds, false);
    }
  }
}
