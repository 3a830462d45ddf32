package io.lapwing.drain.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.drain.cluster.NodeName;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Nodes by slurmrestd ({@code node_info_t} in the data parsers of v0.0.38 to v0.0.45). */
record RestNodes(SlurmRest slurm) implements NodeAccess {

  @Override
  public String program() {
    return "slurmrestd";
  }

  @Override
  public List<SlurmNode> read() throws UnreadableAnswer {
    return slurm.list("nodes", "nodes", RestNodes::node);
  }

  @Override
  public List<SlurmNode> read(NodeName name) throws UnreadableAnswer {
    return slurm.list("node/" + name, "nodes", RestNodes::node);
  }

  @Override
  public Reply update(NodeName name, List<String> settings) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      String field = parts[0].toLowerCase(Locale.ROOT);
      if (field.equals("state")) {
        body.putArray(field).add(parts[1]);
      } else {
        body.put(field, parts[1]);
      }
    }
    return slurm.post("node/" + name, body);
  }

  static SlurmNode node(JsonNode json) throws UnreadableAnswer {
    String name = RestValue.member(json, "name").asText();
    Set<String> words = RestValue.words(json, "state");
    words.addAll(RestValue.words(json, "state_flags")); // to v0.0.38
    if (words.isEmpty()) {
      throw new UnreadableAnswer("a node without state", json.toString());
    }
    SlurmState state = new SlurmState(words);
    Set<String> features = new HashSet<>(RestValue.list(json, "features"));
    features.addAll(RestValue.list(json, "active_features"));
    String reason = RestValue.member(json, "reason").asText("");
    // Without a reason it is user 0.
    String by = reason.isEmpty() ? "" : RestValue.text(json, "reason_set_by_user");
    int counted = GpuCount.ofTres(RestValue.text(json, "tres"));
    return new SlurmNode(
        NodeName.parse(name)
            .orElseThrow(() -> new UnreadableAnswer("not the name of a node", name)),
        state,
        reason,
        by,
        SlurmPlatform.SLURMCTLD.contains(by),
        RestValue.text(json, "comment"),
        RestValue.list(json, "partitions"),
        RestValue.time(json, "boot_time"),
        RestValue.text(json, "instance_id"),
        counted > 0 ? counted : GpuCount.ofGres(RestValue.text(json, "gres")),
        state.is("COMPLETING") || RestValue.number(json, "alloc_cpus").orElse(0L) > 0,
        features,
        RestValue.text(json, "instance_type"));
  }
}
