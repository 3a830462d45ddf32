package io.lapwing.drain.intake;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.NodeResolver.Found;
import io.lapwing.drain.request.Request;
import io.lapwing.fuzz.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What Alertmanager and people send to the drain controller. */
public final class IntakeTargets {

  private static final Instant NOW = Instant.parse("2026-11-25T10:05:00Z");
  private static final String NODE = "gpu-17";

  private IntakeTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofBytes("drain-webhook", IntakeTargets::webhook)
            .recordings("drain/src/test/resources/alertmanager/*.json"),
        Target.ofBytes("drain-request", IntakeTargets::operator)
            .seeds(
                "{\"node\": \"gpu-17\", \"action\": \"reset_gpu\", \"urgency\": \"now\","
                    + " \"reason\": \"XID 95\"}"),
        Target.ofText("drain-node-name", IntakeTargets::node)
            .seeds("gpu-17:9754", "GPU-17.example", "i-0123456789abcdef0", "10.0.0.1:9754"));
  }

  private static NodeDirectory nodes() {
    NodeDirectory nodes = new NodeDirectory();
    NodeState node =
        new NodeState(
            new NodeName(NODE),
            Service.IN_SERVICE,
            "",
            "",
            Set.of(),
            true,
            "i-0123456789abcdef0",
            Optional.empty(),
            8);
    nodes.update(ClusterView.of(NOW, List.of(node), List.of()));
    return nodes;
  }

  private static void webhook(byte[] input) {
    List<Request> taken = new ArrayList<>();
    RequestIntake requests = intake(taken);
    AlertIntake alerts = new AlertIntake(requests, nodes(), Set.of(), Urgency.JOB_END, firing());
    Reply reply = new AlertmanagerWebhook(alerts).answer(input, NOW);
    check(reply, taken);
  }

  private static void operator(byte[] input) {
    List<Request> taken = new ArrayList<>();
    check(new OperatorRequests(intake(taken), nodes()).answer("ada", input, NOW), taken);
  }

  private static RequestIntake intake(List<Request> taken) {
    return new RequestIntake(
        (request, now) -> {
          taken.add(request);
          return Optional.empty();
        });
  }

  private static FiringAlerts firing() {
    return new FiringAlerts(() -> Set.of("any"), Duration.ofHours(5), () -> NOW);
  }

  private static void check(Reply reply, List<Request> taken) {
    demand(reply.status() == 200 || reply.status() / 100 == 4, "status " + reply.status());
    demand(taken.isEmpty() || reply.status() == 200, "refused what was taken");
    demand(
        reply.text().chars().noneMatch(c -> c != '\n' && Character.isISOControl(c)),
        "control characters");
    for (Request request : taken) {
      demand(request.node().text().equals(NODE), "a node that does not exist");
      demand(request.remedy().takesNode(), "an action that needs no node");
      demand(request.reason().length() <= 500 && request.key().length() < 300, "a long text");
    }
  }

  private static void node(String input) {
    if (nodes().resolve(input) instanceof Found found) {
      demand(found.node().text().equals(NODE), "a node that does not exist");
    }
  }
}
