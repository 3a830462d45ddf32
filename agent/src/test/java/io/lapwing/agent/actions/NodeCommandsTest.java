package io.lapwing.agent.actions;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.actions.NodeCommands.Command;
import io.lapwing.agent.actions.NodeCommands.OneStep;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.node.Platform;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of a node in the commands. */
class NodeCommandsTest {

  private static final String INSTANCE = "i-0123456789abcdef0";

  private static String lines(HealthReport report) {
    return NodeCommands.of(report, Optional.empty()).steps().stream()
        .flatMap(step -> step.commands().stream())
        .map(Command::line)
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @EnumSource(Platform.class)
  void noPlaceholderIsLeft(Platform platform) {
    assertThat(lines(MadeReports.on("gpu-7", INSTANCE, platform)))
        .doesNotContain("{node}", "{instance}", "{gpu}", "{cluster}", "{reason}");
  }

  @Test
  void slurmKnowsANodeWithoutItsDomain() {
    String fullName = "ip-10-0-0-7.us-west-2.compute.internal";

    assertThat(lines(MadeReports.on(fullName, INSTANCE, Platform.HYPERPOD_SLURM)))
        .contains("nodename=ip-10-0-0-7 state=fail reason='Action:Replace'");
    assertThat(lines(MadeReports.on(fullName, INSTANCE, Platform.EKS_NODE_GROUP)))
        .contains("kubectl cordon " + fullName + "\n", "--instance-id " + INSTANCE + " ");
  }

  @Test
  void whatTheActionNeedsIsMarked() {
    NodeCommands commands =
        NodeCommands.of(MadeReports.on("gpu-7", INSTANCE, Platform.PCS), Optional.empty());

    assertThat(commands.steps()).extracting(OneStep::step).containsExactly(Step.values());
    assertThat(commands.steps().stream().filter(OneStep::needed).map(OneStep::step))
        .containsExactly(Step.DRAIN, Step.REPLACE_NODE, Step.GIVE_BACK);
  }

  @Test
  void gpusToResetHaveTheirPciAddresses() {
    HealthReport failing = MadeReports.failing();
    HealthReport reset =
        new HealthReport(
            failing.at(),
            failing.verdict(),
            Action.RESET_GPU,
            failing.urgency(),
            failing.since(),
            failing.summary(),
            List.of(
                MadeReports.gpu(1, failing.verdict(), Action.RESET_GPU, failing.since()),
                MadeReports.gpu(2, failing.verdict(), Action.WATCH, failing.since()),
                MadeReports.gpu(5, failing.verdict(), Action.RESET_GPU, failing.since())),
            List.of(
                MadeReports.finding(
                    "xid_119",
                    new Subject.Gpu(MadeReports.uuid(5)),
                    Disposition.failing(Action.RESET_GPU, Urgency.NOW),
                    "GSP does not answer")),
            failing.unevaluated(),
            failing.slowness(),
            failing.operations(),
            failing.profile(),
            false);

    assertThat(lines(MadeReports.on(reset, "gpu-7", INSTANCE, Platform.SLURM)))
        .contains("nvidia-smi --gpu-reset -i 0000:51:00.0,0000:55:00.0\n", "'xid_119 on GPU 5'");
  }

  /** The name of a node comes from the kernel or the configuration, an id from metadata. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a;reboot",
        "$(reboot)",
        "`reboot`",
        "a b",
        "a'b",
        "a\"b",
        "-o=x",
        "a\nreboot",
        "a|b",
        "a&b",
        "a>b",
        "../x",
        "a/b",
        "",
        "all,nodes",
        "n[1-9]",
        "\u202enode",
        "a\\b",
        "*"
      })
  void aHostileNameIsNotUsed(String name) {
    for (Platform platform : Platform.values()) {
      String slurm = lines(MadeReports.on(name, name, platform));

      assertThat(slurm).as(platform.id()).isEqualTo(lines(MadeReports.on("", "", platform)));
      assertThat(slurm).contains("NODE");
    }
  }

  @Test
  void aHostileRuleIsNoReason() {
    HealthReport report =
        MadeReports.with(
            List.of(
                MadeReports.finding(
                    "x'; reboot; '",
                    Subject.NODE,
                    Disposition.failing(Action.REPLACE_NODE, Urgency.NOW),
                    "what")));

    assertThat(lines(MadeReports.on(report, "gpu-7", INSTANCE, Platform.SLURM)))
        .contains("reason='REASON'")
        .doesNotContain("x'; reboot");
  }

  @Test
  void anAddressThatIsNoneIsNotUsed() {
    HealthReport failing = MadeReports.failing();
    HealthReport report =
        new HealthReport(
            failing.at(),
            failing.verdict(),
            Action.RESET_GPU,
            failing.urgency(),
            failing.since(),
            failing.summary(),
            List.of(
                new HealthReport.GpuVerdict(
                    "GPU-1",
                    1,
                    "0000:51:00;reboot",
                    failing.verdict(),
                    Action.RESET_GPU,
                    failing.at())),
            List.of(),
            failing.unevaluated(),
            failing.slowness(),
            failing.operations(),
            failing.profile(),
            false);

    assertThat(lines(MadeReports.on(report, "gpu-7", INSTANCE, Platform.SLURM)))
        .contains("--gpu-reset -i GPU\n");
  }

  @Test
  void aChosenPlatformReplacesThatOfTheNode() {
    NodeCommands commands =
        NodeCommands.of(
            MadeReports.on("gpu-7", INSTANCE, Platform.SLURM), Optional.of(Platform.KARPENTER));

    assertThat(commands.platform()).contains(Platform.KARPENTER);
    assertThat(commands.steps().toString()).contains("kubectl delete node gpu-7");
  }

  /** A reason with this start would be undone by the health check. */
  @Test
  void noReasonLooksLikeTheHealthChecks() {
    assertThat(lines(MadeReports.on("gpu-7", INSTANCE, Platform.SLURM)))
        .doesNotContainPattern(Pattern.compile("reason='?lapwing:"));
  }
}
