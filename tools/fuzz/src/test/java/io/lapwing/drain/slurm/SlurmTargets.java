package io.lapwing.drain.slurm;

import static io.lapwing.fuzz.Target.demand;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.fuzz.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What Slurm's programs and slurmrestd answer; users write parts of it. */
public final class SlurmTargets {

  private static final int OK = 200;
  private static final int LONGEST_MESSAGE = 400;

  private SlurmTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("slurm-nodes", SlurmTargets::nodes)
            .recordings("drain/src/test/resources/io/lapwing/drain/slurm/nodes-*.txt"),
        Target.ofText("slurm-topology", SlurmTargets::topology)
            .seeds(
                "BlockName=rack1 BlockIndex=0 Nodes=gb-[01-18] BlockSize=18\nBlockName=rack2\n",
                "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=gb-[01-04]\n"),
        Target.ofBytes("slurmrestd-nodes", input -> rest(input, "nodes", SlurmTargets::node))
            .recordings("drain/src/test/resources/io/lapwing/drain/slurm/rest-nodes-*.json"),
        Target.ofBytes("slurmrestd-jobs", input -> rest(input, "jobs", SlurmTargets::job))
            .recordings("drain/src/test/resources/io/lapwing/drain/slurm/rest-jobs-*.json"));
  }

  /** No text of a person adds a node or changes the name of one. */
  private static void nodes(String input) {
    try {
      List<SlurmNode> nodes = NodeTable.parse(input);
      long lines = input.lines().filter(line -> line.startsWith("NodeName=")).count();
      demand(nodes.size() <= lines, "a node that is no line");
      for (SlurmNode node : nodes) {
        demand(input.contains("NodeName=" + node.name()), "a name that is not in the answer");
      }
    } catch (UnreadableAnswer declared) {
      demand(declared.why().length() < LONGEST_MESSAGE, "a long message");
    }
  }

  private static void topology(String input) {
    try {
      SlurmBlocks.parse(input)
          .values()
          .forEach(block -> demand(input.contains("BlockName=" + block), "a block that is none"));
    } catch (UnreadableAnswer declared) {
      demand(declared.why().length() < LONGEST_MESSAGE, "a long message");
    }
  }

  private static void rest(byte[] input, String list, SlurmRest.Use use) {
    List<String> seen = new ArrayList<>();
    try {
      SlurmRest.Answer answer =
          SlurmRest.Answer.read(
              OK,
              new ByteArrayInputStream(input),
              list,
              json -> use.take(json) && seen.add(json.toString()));
      demand(
          answer.good() || answer.words().length() < LONGEST_MESSAGE * (1 + answer.errors().size()),
          "a long message");
    } catch (IOException declared) {
      demand(seen.size() <= input.length, "more elements than bytes");
    }
  }

  private static boolean node(JsonNode json) throws UnreadableAnswer {
    return !RestNodes.node(json).name().text().isEmpty();
  }

  private static boolean job(JsonNode json) throws UnreadableAnswer {
    return RestJobs.runningJob(json).isPresent() || RestJobs.queuedJob(json).isPresent();
  }
}
