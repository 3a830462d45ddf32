package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import java.time.Duration;
import java.util.Optional;

/** Admin commands that the device never completed. */
final class EfaAdminCommands implements EfaRule.PerDevice {

  private static final String COMMANDS = "commands";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("efa_admin_commands")
        .about("An EFA device does not complete admin commands.")
        .why(
            "The driver gives up on a device that leaves a command unanswered: running work continues, but no queue or memory region can be created until the device is reset.")
        .document("EFA driver, efa_com.c: the admin queue stops running when a command times out")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.JOB_END))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(COMMANDS, 1, 1, 1_000_000, "commands")
        .meaning(
            "Commands without completion in 10 minutes from which the rule fires; Lapwing's own choice, since one is enough to stop the driver.")
        .needs(EfaMetrics.COMMANDS_WITHOUT_COMPLETION)
        .trends(EfaMetrics.COMMANDS_WITHOUT_COMPLETION, EfaMetrics.COMPLETED_COMMANDS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(PartStatus device, NodeSnapshot view, RulePolicy policy) {
    double now =
        EfaRule.deviceIncrease(device, view, EfaMetrics.COMMANDS_WITHOUT_COMPLETION, Trends.LONGEST)
            .orElse(0);
    if (now >= policy.threshold(COMMANDS)) {
      return Optional.of(
          detection(
              device,
              "did not complete "
                  + RuleText.count(now, "admin command")
                  + " in the last "
                  + RuleText.duration(Trends.LONGEST),
              policy));
    }
    double ever = device.values().get(EfaMetrics.COMMANDS_WITHOUT_COMPLETION).orElse(0);
    return ever >= policy.threshold(COMMANDS) && isStalled(device, view)
        ? Optional.of(
            detection(
                device,
                "completes no admin commands since it left "
                    + RuleText.number(ever)
                    + " without completion",
                policy))
        : Optional.empty();
  }

  /** Reading the counters of the port alone takes several commands each time. */
  private static boolean isStalled(PartStatus device, NodeSnapshot view) {
    return EfaRule.deviceIncrease(device, view, EfaMetrics.COMPLETED_COMMANDS, WINDOW).orElse(1)
        == 0;
  }

  private static Detection detection(PartStatus device, String what, RulePolicy policy) {
    return policy.detection(
        device.subject(),
        what,
        EfaMetrics.COMMANDS_WITHOUT_COMPLETION,
        EfaMetrics.COMPLETED_COMMANDS);
  }
}
