package io.lapwing.stack.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the parts of a recorded series' labels that identify the recorded node. */
final class Identities {

  /** The node name of the recorded agent. */
  static final String RECORDED_NAME = "recorded-node";

  /** Ranks of a recorded node: one on each GPU. */
  private static final int RANKS_HERE = 8;

  private static final List<Kind> KINDS =
      List.of(
          new Kind(RECORDED_NAME, match -> PlayedNode::name),
          new Kind("(?<=GPU-)[0-9a-f]{8}(?=-)", match -> PlayedNode::hex),
          new Kind("(?<=instance_id=\"i-[0-9a-f]{9})[0-9a-f]{8}", match -> PlayedNode::hex),
          new Kind("(?<=serial=\"[0-9]{3})[0-9]{5}(?=[0-9]{5}\")", match -> PlayedNode::digits),
          new Kind("(?<=eni_mac=\"0e:5a:)[0-9a-f]{2}:[0-9a-f]{2}", Identities::mac),
          new Kind("(?<=\\bjob_id=\")[^\"]+", match -> PlayedNode::jobId),
          new Kind("(?<=\\b(?:dp_)?rank=\")[0-9]+", Identities::rank),
          new Kind("(?<=\\b(?:world|dp)_size=\")[0-9]+", Identities::ranks));

  private Identities() {}

  /** Splits labels into constant text and parts that differ by node. */
  static List<Piece> in(String labels) {
    List<Piece> pieces = List.of(new Piece.Fixed(labels));
    for (Kind kind : KINDS) {
      pieces = pieces.stream().flatMap(kind::split).toList();
    }
    return pieces;
  }

  private static Function<PlayedNode, String> mac(MatchResult match) {
    return node -> node.hex().substring(4, 6) + ":" + node.hex().substring(6);
  }

  /** The global rank: each node before this one has the same number of ranks. */
  private static Function<PlayedNode, String> rank(MatchResult match) {
    int local = Integer.parseInt(match.group());
    return node -> Integer.toString(node.nodeOfJob() * RANKS_HERE + local);
  }

  private static Function<PlayedNode, String> ranks(MatchResult match) {
    int here = Integer.parseInt(match.group());
    return node -> Integer.toString(node.nodesOfJob() * here);
  }

  private record Kind(
      Pattern pattern, Function<MatchResult, Function<PlayedNode, String>> identity) {

    Kind(String pattern, Function<MatchResult, Function<PlayedNode, String>> identity) {
      this(Pattern.compile(pattern), identity);
    }

    Stream<Piece> split(Piece piece) {
      if (!(piece instanceof Piece.Fixed fixed)) {
        return Stream.of(piece);
      }
      List<Piece> pieces = new ArrayList<>();
      Matcher place = pattern.matcher(fixed.text());
      int from = 0;
      while (place.find()) {
        pieces.add(new Piece.Fixed(fixed.text().substring(from, place.start())));
        pieces.add(new Piece.Identity(identity.apply(place.toMatchResult())));
        from = place.end();
      }
      pieces.add(new Piece.Fixed(fixed.text().substring(from)));
      return pieces.stream();
    }
  }
}
