package io.lapwing.drain.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.Repairs.Repair;
import io.lapwing.drain.health.Remedy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AwsRepairsTest {

  private static final String GOOD = "<RebootInstancesResponse/>";
  private static final String ERROR =
      "<Response><Errors><Error><Code>%s</Code><Message>why</Message></Error></Errors></Response>";

  private final List<Duration> pauses = new ArrayList<>();

  private static Repair repair(Remedy remedy, String instance) {
    return repair(remedy, instance, instance);
  }

  private static Repair repair(Remedy remedy, String instance, String ofAgent) {
    NodeState node =
        new NodeState(
            new NodeName("n1"),
            Service.DRAINED,
            "",
            "",
            Set.of(),
            true,
            instance,
            Optional.empty(),
            8);
    return new Repair(remedy, node, "any", "xid_79", ofAgent);
  }

  private CommandResult ec2(AwsEndpoint endpoint, Remedy remedy, String instance) {
    return new Ec2Repairs(endpoint.api(), pauses::add).begin(repair(remedy, instance));
  }

  private CommandResult hyperPod(AwsEndpoint endpoint, Remedy remedy) {
    return new HyperPodRepairs(endpoint.api(), "gpus", pauses::add)
        .begin(repair(remedy, "i-0123456789abcdef0"));
  }

  @Test
  void ec2RebootsAndTerminatesWithAValidSignature() throws IOException {
    try (AwsEndpoint endpoint = new AwsEndpoint("ec2").answers(200, GOOD)) {
      assertThat(ec2(endpoint, Remedy.REBOOT_NODE, "i-0123456789abcdef0"))
          .isEqualTo(CommandResult.ACCEPTED);
      assertThat(ec2(endpoint, Remedy.REPLACE_NODE, "i-01234567"))
          .isEqualTo(CommandResult.ACCEPTED);
      assertThat(endpoint.bodies)
          .containsExactly(
              "Action=RebootInstances&InstanceId.1=i-0123456789abcdef0&Version=2016-11-15",
              "Action=TerminateInstances&InstanceId.1=i-01234567&Version=2016-11-15");
      assertThat(
              new Ec2Repairs(endpoint.api("another secret"), pauses::add)
                  .begin(repair(Remedy.REBOOT_NODE, "i-01234567")))
          .isEqualTo(new Refused("RebootInstances: SignatureDoesNotMatch"));
    }
  }

  @Test
  void anInstanceThatIsUnknownIsNeverAskedFor() throws IOException {
    try (AwsEndpoint endpoint = new AwsEndpoint("ec2").answers(200, GOOD)) {
      for (String id : List.of("", "n1", "i-0123&InstanceId.2=i-0123456789abcdef0", "i-XYZ")) {
        assertThat(ec2(endpoint, Remedy.REPLACE_NODE, id)).isInstanceOf(Refused.class);
      }
      assertThat(ec2(endpoint, Remedy.RESET_GPU, "i-01234567"))
          .isEqualTo(new NotPossible("EC2 cannot reset_gpu"));
      assertThat(endpoint.bodies).isEmpty();
    }
  }

  /** Two hosts have exchanged their names, and Slurm keeps their former instance ids. */
  @Test
  void anInstanceThatIsNotThatOfTheAgentIsNeverTouched() throws IOException {
    String theirs = "i-0123456789abcdef0";
    String other = "i-0123456789abcdef1";
    for (Remedy remedy : List.of(Remedy.REBOOT_NODE, Remedy.REPLACE_NODE)) {
      try (AwsEndpoint endpoint = new AwsEndpoint("ec2").answers(200, GOOD)) {
        Repairs ec2 = new Ec2Repairs(endpoint.api(), pauses::add);
        Refused refused =
            new Refused("the agent of n1 is on " + theirs + ", and the scheduler says " + other);
        assertThat(ec2.begin(repair(remedy, other, theirs))).isEqualTo(refused);
        Repairs hyperPod = new HyperPodRepairs(endpoint.api(), "gpus", pauses::add);
        assertThat(hyperPod.begin(repair(remedy, other, theirs))).isEqualTo(refused);
        assertThat(endpoint.bodies).isEmpty();
        assertThat(ec2.begin(repair(remedy, other, "")))
            .as("an agent that does not know it")
            .isEqualTo(CommandResult.ACCEPTED);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "400, InvalidInstanceID.NotFound, Refused",
    "400, InvalidInstanceID.Malformed, Refused",
    "400, IncorrectInstanceState, Refused",
    "400, OperationNotPermitted, Refused",
    "403, UnauthorizedOperation, Refused",
    "401, AuthFailure, Refused",
    "400, RequestLimitExceeded, NotYet",
    "503, RequestLimitExceeded, NotYet",
    "500, InternalError, Unclear",
    "503, Unavailable, Unclear",
  })
  void eachErrorOfEc2IsRefusedOrUnclear(int status, String code, String kind) throws IOException {
    try (AwsEndpoint endpoint = new AwsEndpoint("ec2").answers(status, ERROR.formatted(code))) {
      CommandResult result = ec2(endpoint, Remedy.REBOOT_NODE, "i-01234567");
      assertThat(result.getClass().getSimpleName()).isEqualTo(kind);
      assertThat(result.toString()).contains("RebootInstances: " + code + ": why");
    }
  }

  @Test
  void aThrottledRequestIsSentAgainAFewTimes() throws IOException {
    try (AwsEndpoint endpoint =
        new AwsEndpoint("ec2").answers(503, "").answers(503, "").answers(200, GOOD)) {
      assertThat(ec2(endpoint, Remedy.REBOOT_NODE, "i-01234567")).isEqualTo(CommandResult.ACCEPTED);
      assertThat(pauses).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
      assertThat(endpoint.bodies).hasSize(3);
    }
  }

  /** The first try may have begun the repair: that is why the instance is not in service. */
  @Test
  void aRequestThatMayHaveBeenCarriedOutStaysUnclear() throws IOException {
    String busy =
        "{\"Failed\":[{\"NodeId\":\"i-0123456789abcdef0\",\"ErrorCode\":\"InvalidInstanceStatus\"}]}";
    try (AwsEndpoint endpoint =
        new AwsEndpoint("sagemaker").answers(500, "{}").answers(200, busy)) {
      assertThat(hyperPod(endpoint, Remedy.REPLACE_NODE)).isInstanceOf(Unclear.class);
    }
    try (AwsEndpoint endpoint =
        new AwsEndpoint("ec2").answers(500, "").answers(429, "").answers(429, "")) {
      assertThat(ec2(endpoint, Remedy.REPLACE_NODE, "i-01234567")).isInstanceOf(Unclear.class);
    }
    try (AwsEndpoint endpoint =
        new AwsEndpoint("ec2")
            .answers(429, "")
            .answers(503, ERROR.formatted("RequestLimitExceeded"))) {
      assertThat(ec2(endpoint, Remedy.REPLACE_NODE, "i-01234567"))
          .as("each was throttled")
          .isInstanceOf(NotYet.class);
    }
    try (AwsEndpoint endpoint =
        new AwsEndpoint("ec2")
            .answers(500, "")
            .answers(400, ERROR.formatted("IncorrectInstanceState"))) {
      assertThat(ec2(endpoint, Remedy.REPLACE_NODE, "i-01234567"))
          .isEqualTo(
              new Unclear(
                  "TerminateInstances: IncorrectInstanceState: why, after an answer that left it"
                      + " unclear"));
    }
    try (AwsEndpoint endpoint =
        new AwsEndpoint("ec2")
            .answers(429, "")
            .answers(403, ERROR.formatted("UnauthorizedOperation"))) {
      assertThat(ec2(endpoint, Remedy.REPLACE_NODE, "i-01234567")).isInstanceOf(Refused.class);
    }
  }

  @Test
  void anEndpointThatIsGoneLeavesItUnclear() throws IOException {
    AwsEndpoint endpoint = new AwsEndpoint("ec2");
    endpoint.close();
    assertThat(ec2(endpoint, Remedy.REBOOT_NODE, "i-01234567")).isInstanceOf(Unclear.class);
  }

  @Test
  void hyperPodReplacesByItsBatchApi() throws IOException {
    try (AwsEndpoint endpoint =
        new AwsEndpoint("sagemaker").answers(200, "{\"Successful\":[\"i-0123456789abcdef0\"]}")) {
      assertThat(hyperPod(endpoint, Remedy.REPLACE_NODE)).isEqualTo(CommandResult.ACCEPTED);
      assertThat(hyperPod(endpoint, Remedy.REBOOT_NODE)).isEqualTo(CommandResult.ACCEPTED);
      assertThat(endpoint.targets)
          .containsExactly(
              "SageMaker.BatchReplaceClusterNodes", "SageMaker.BatchRebootClusterNodes");
      assertThat(endpoint.bodies.get(0))
          .isEqualTo("{\"ClusterName\":\"gpus\",\"NodeIds\":[\"i-0123456789abcdef0\"]}");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "InstanceIdInUse, Accepted",
    "InstanceIdNotFound, Refused",
    "InvalidInstanceStatus, NotYet",
    "InternalServerError, Unclear",
    "SomethingNew, Refused",
  })
  void eachErrorOfANodeMeansWhatHyperPodSays(String code, String kind) throws IOException {
    String body =
        "{\"Failed\":[{\"NodeId\":\"i-0123456789abcdef0\",\"ErrorCode\":\"%s\",\"Message\":\"why\"}]}"
            .formatted(code);
    try (AwsEndpoint endpoint = new AwsEndpoint("sagemaker").answers(200, body)) {
      CommandResult result = hyperPod(endpoint, Remedy.REPLACE_NODE);
      assertThat(result.getClass().getSimpleName()).isEqualTo(kind);
    }
  }

  @Test
  void errorsOfTheWholeRequestAreToldApart() throws IOException {
    String missing = "{\"__type\":\"com.amazonaws#ResourceNotFound\",\"message\":\"no cluster\"}";
    try (AwsEndpoint endpoint = new AwsEndpoint("sagemaker").answers(400, missing)) {
      assertThat(hyperPod(endpoint, Remedy.REPLACE_NODE))
          .isEqualTo(new Refused("BatchReplaceClusterNodes: ResourceNotFound (400): no cluster"));
    }
    String busy = "{\"__type\":\"ThrottlingException\",\"Message\":\"rate\"}";
    try (AwsEndpoint endpoint = new AwsEndpoint("sagemaker").answers(400, busy)) {
      assertThat(hyperPod(endpoint, Remedy.REPLACE_NODE)).isInstanceOf(NotYet.class);
    }
    try (AwsEndpoint endpoint = new AwsEndpoint("sagemaker").answers(200, "<html>")) {
      assertThat(hyperPod(endpoint, Remedy.REPLACE_NODE)).isInstanceOf(Unclear.class);
    }
  }

  @Test
  void endpointsAreThoseOfTheRegion() {
    assertThat(AwsApi.endpoint("ec2", "us-east-1"))
        .hasToString("https://ec2.us-east-1.amazonaws.com");
    assertThat(AwsApi.endpoint("sagemaker", "cn-north-1"))
        .hasToString("https://api.sagemaker.cn-north-1.amazonaws.com.cn");
  }
}
