package io.lapwing.stack.fleet;

import java.util.function.Function;

/** A piece of a page: text that is always the same, or what a node and the time make of it. */
sealed interface Piece {

  /**
   * Adds itself to a page.
   *
   * @param seconds since the page was recorded
   */
  void write(PageText out, PlayedNode node, double seconds);

  /** The same on every page; ASCII. */
  record Fixed(String text) implements Piece {
    @Override
    public void write(PageText out, PlayedNode node, double seconds) {
      out.add(text);
    }
  }

  /** A label's value that tells nodes apart. */
  record Identity(Function<PlayedNode, String> who) implements Piece {
    @Override
    public void write(PageText out, PlayedNode node, double seconds) {
      out.add(who.apply(node));
    }
  }

  /** A counter, which goes on as fast as it did between two recordings, some nodes faster. */
  record Counting(double from, double perSecond, boolean whole) implements Piece {
    @Override
    public void write(PageText out, PlayedNode node, double seconds) {
      double value = from + perSecond * node.speed() * seconds;
      out.add(whole ? Math.floor(value) : value, whole);
    }
  }

  /** A gauge that moves anywhere between its two recordings, all gauges of a page together. */
  record Swaying(double one, double other, boolean whole) implements Piece {
    @Override
    public void write(PageText out, PlayedNode node, double seconds) {
      double share = PlayedNode.scatter(node.index(), (long) seconds);
      out.add(one + (other - one) * share, whole);
    }
  }

  /** A time of day that moves with the clock, such as that of the last judging. */
  record Passing(double from) implements Piece {
    @Override
    public void write(PageText out, PlayedNode node, double seconds) {
      out.add(from + seconds, false);
    }
  }
}
