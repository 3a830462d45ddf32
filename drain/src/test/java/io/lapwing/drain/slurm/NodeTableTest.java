package io.lapwing.drain.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class NodeTableTest {

  private static final String IDLE = FakeSlurm.node("p5-1", "IDLE", "");
  private static final String BUSY = FakeSlurm.node("p5-2", "ALLOCATED", "");
  private static final String HELD = FakeSlurm.node("p5-3", "IDLE+DRAIN", FakeSlurm.reason("x"));

  private static List<SlurmNode> next(NodeTable table, String answer) throws UnreadableAnswer {
    table.next().writeBytes(answer.getBytes(StandardCharsets.UTF_8));
    return table.nodes();
  }

  @Test
  void theSameAnswerIsTheSameList() throws Exception {
    NodeTable table = new NodeTable();
    List<SlurmNode> first = next(table, IDLE + "\n" + HELD + "\n");
    assertThat(first).hasSize(2);
    assertThat(next(table, IDLE + "\n" + HELD + "\n")).isSameAs(first);
  }

  @Test
  void onlyWhatHasChangedIsParsedAgain() throws Exception {
    NodeTable table = new NodeTable();
    List<SlurmNode> first = next(table, IDLE + "\n" + BUSY + "\n");
    List<SlurmNode> second = next(table, IDLE + "\n" + BUSY.replace("ALLOCATED", "MIXED") + "\n");

    assertThat(second.get(0)).isSameAs(first.get(0));
    assertThat(second.get(1).state().is("MIXED")).isTrue();
  }

  /** The second line of a person's text is no node although it was one before. */
  @Test
  void aTextOfSeveralLinesIsReadInFullEachTime() throws Exception {
    NodeTable table = new NodeTable();
    next(table, HELD + " Comment=a\nb\n" + IDLE + "\n");
    List<SlurmNode> nodes = next(table, HELD + " Comment=a\nc\n" + IDLE + "\n");

    assertThat(nodes).hasSize(2);
    assertThat(nodes.get(0).comment()).isEqualTo("a\nc");
  }

  @Test
  void anAnswerThatCannotBeReadIsForgotten() throws Exception {
    NodeTable table = new NodeTable();
    next(table, IDLE + "\n");
    assertThatThrownBy(() -> next(table, IDLE + "\nnot a node\n"))
        .isInstanceOf(UnreadableAnswer.class)
        .hasMessageContaining("not a node");
    assertThat(next(table, BUSY + "\n"))
        .extracting(node -> node.name().text())
        .containsOnly("p5-2");
    assertThat(next(table, "")).isEmpty();
  }

  /** Whatever came before, an answer is read as by a table that has seen none. */
  @Property
  void theLastAnswerChangesNothing(@ForAll("answers") List<List<String>> answers) {
    NodeTable table = new NodeTable();
    for (List<String> lines : answers) {
      String answer = String.join("\n", lines);
      assertThat(read(() -> next(table, answer))).isEqualTo(read(() -> NodeTable.parse(answer)));
    }
  }

  @Provide
  Arbitrary<List<List<String>>> answers() {
    List<String> lines = new ArrayList<>(List.of(IDLE, BUSY, HELD, "", "b", "NodeName=b c"));
    lines.add(HELD + " Comment=a");
    lines.add(IDLE.replace("IDLE", "DOWN"));
    return Arbitraries.of(lines).list().ofMaxSize(5).list().ofSize(4);
  }

  private interface Reading {
    List<SlurmNode> read() throws UnreadableAnswer;
  }

  private static Object read(Reading reading) {
    try {
      return reading.read();
    } catch (UnreadableAnswer e) {
      return e.why();
    }
  }
}
