package io.lapwing.drain.slurm;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of {@code scontrol show node --oneliner}. A megabyte for a thousand nodes, of which
 * little changes between two rounds: a line that is the same as in the last answer is not parsed
 * again, and an answer that is the same is the same list. Not thread-safe.
 */
final class NodeTable {

  /** Some 5,000 nodes. Of more the last answer is not kept: its memory is dearer than the time. */
  private static final int KEPT = 4 << 20;

  private Answer last = new Answer();
  private Answer next = new Answer();
  private List<SlurmNode> nodes = List.of();

  /** Where the next answer is written to. */
  ByteArrayOutputStream next() {
    next.reset();
    return next;
  }

  /** The nodes of the answer that was written. */
  List<SlurmNode> nodes() throws UnreadableAnswer {
    if (!next.sameAs(last)) {
      nodes = List.copyOf(next.parse(last));
      boolean small = next.size() <= KEPT;
      Answer before = last;
      last = small ? next : new Answer();
      next = small ? before : new Answer();
    }
    return nodes;
  }

  /** The nodes of an answer, without a last one. */
  static List<SlurmNode> parse(String text) throws UnreadableAnswer {
    Answer answer = new Answer();
    answer.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    return answer.parse(new Answer());
  }

  /**
   * @param node empty if it has further lines, since people's texts may have line breaks
   */
  private record Line(int from, int to, Optional<SlurmNode> node) {}

  private static final class Answer extends ByteArrayOutputStream {
    private final List<Line> lines = new ArrayList<>();

    boolean sameAs(Answer other) {
      return count > 0 && Arrays.equals(buf, 0, count, other.buf, 0, other.count);
    }

    List<SlurmNode> parse(Answer last) throws UnreadableAnswer {
      lines.clear();
      List<SlurmNode> found = new ArrayList<>();
      NodeText open = new NodeText(found);
      for (int from = 0; from < count; ) {
        int to = endOfLine(from);
        Optional<SlurmNode> node = last.line(lines.size(), this, from, to);
        if (node.isPresent()) {
          open.end();
          found.add(node.get());
        } else {
          node = open.add(new String(buf, from, to - from, StandardCharsets.UTF_8));
        }
        lines.add(new Line(from, to, node));
        from = to + 1;
      }
      open.end();
      return found;
    }

    private int endOfLine(int from) {
      int to = from;
      while (to < count && buf[to] != '\n') {
        to++;
      }
      return to;
    }

    /** The node of a line, if it is the same in another answer. */
    private Optional<SlurmNode> line(int number, Answer other, int from, int to) {
      if (number >= lines.size()) {
        return Optional.empty();
      }
      Line line = lines.get(number);
      return Arrays.equals(buf, line.from, line.to, other.buf, from, to)
          ? line.node
          : Optional.empty();
    }
  }

  /**
   * The lines of one node. A person's text may have line breaks, of which Slurm takes away those of
   * a reason alone: what follows a node with a text, and is no node, is a part of it.
   */
  private static final class NodeText {
    private final List<SlurmNode> found;
    private @Nullable StringBuilder text;
    private boolean more;

    NodeText(List<SlurmNode> found) {
      this.found = found;
    }

    /** The node, if that line is all of it. */
    Optional<SlurmNode> add(String line) throws UnreadableAnswer {
      boolean begins = NodeLine.begins(line);
      if (line.isBlank() || (more && !begins)) {
        if (text != null) {
          text.append('\n').append(line);
        }
        return Optional.empty();
      }
      end();
      if (begins && !NodeLine.hasText(line)) {
        SlurmNode node = NodeLine.parse(line.stripTrailing());
        found.add(node);
        return Optional.of(node);
      }
      text = new StringBuilder(line);
      more = begins;
      return Optional.empty();
    }

    void end() throws UnreadableAnswer {
      if (text != null) {
        found.add(NodeLine.parse(text.toString().stripTrailing()));
      }
      text = null;
      more = false;
    }
  }
}
