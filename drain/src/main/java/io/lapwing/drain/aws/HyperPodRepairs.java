package io.lapwing.drain.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.drain.aws.AwsApi.Reply;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.Repairs;
import java.util.List;
import java.util.Map;

/**
 * Reboots and replaces nodes of a HyperPod cluster by its batch API, one node per call: its limit
 * is 25, but the answers for several nodes may differ. Works with Slurm and with EKS.
 */
public final class HyperPodRepairs implements Repairs {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Retries retries;
  private final String cluster;

  /**
   * @param cluster its name or ARN
   */
  public HyperPodRepairs(AwsApi sagemaker, String cluster) {
    this(sagemaker, cluster, time -> Thread.sleep(time.toMillis()));
  }

  HyperPodRepairs(AwsApi sagemaker, String cluster, Retries.Pause pause) {
    this.retries = new Retries(sagemaker, pause);
    this.cluster = cluster;
  }

  @Override
  public CommandResult begin(Repair repair) {
    return switch (repair.remedy()) {
      case REBOOT_NODE -> Instance.of(repair, id -> call("BatchRebootClusterNodes", id));
      case REPLACE_NODE -> Instance.of(repair, id -> call("BatchReplaceClusterNodes", id));
      default -> new NotPossible("HyperPod cannot " + repair.remedy().word());
    };
  }

  private CommandResult call(String action, String instance) {
    return retries.post(
        Map.of("Content-Type", "application/x-amz-json-1.1", "X-Amz-Target", "SageMaker." + action),
        body(instance),
        reply -> meaning(action, reply));
  }

  private String body(String instance) {
    return JSON.createObjectNode()
        .put("ClusterName", cluster)
        .set("NodeIds", JSON.valueToTree(List.of(instance)))
        .toString();
  }

  private static CommandResult meaning(String action, Reply reply) {
    JsonNode body;
    try {
      body = JSON.readTree(reply.body());
    } catch (JsonProcessingException e) {
      return new Unclear(action + ": status " + reply.status() + ", and the answer is not JSON");
    }
    if (!reply.isGood()) {
      String type = body.path("__type").asText();
      String why =
          action
              + ": "
              + type.substring(type.indexOf('#') + 1)
              + " ("
              + reply.status()
              + "): "
              + body.path("message").asText(body.path("Message").asText());
      if (reply.isThrottled() || type.contains("Throttling")) {
        return new NotYet(why);
      }
      return reply.isTransient() ? new Unclear(why) : new Refused(why);
    }
    JsonNode failed = body.path("Failed").path(0);
    return failed.isMissingNode()
        ? CommandResult.ACCEPTED
        : ofNode(
            failed.path("ErrorCode").asText(), action + ": " + failed.path("Message").asText());
  }

  private static CommandResult ofNode(String code, String why) {
    return switch (code) {
      // Another operation runs on it; that it helps is seen from the node.
      case "InstanceIdInUse" -> CommandResult.ACCEPTED;
      case "InvalidInstanceStatus" -> new NotYet(why + " (" + code + ")");
      case "InternalServerError" -> new Unclear(why + " (" + code + ")");
      default -> new Refused(why + " (" + code + ")");
    };
  }
}
