package io.lapwing.fuzz;

import io.lapwing.agent.AgentTargets;
import io.lapwing.agent.config.ValueTargets;
import io.lapwing.agent.events.EventTargets;
import io.lapwing.agent.web.RequestTargets;
import io.lapwing.common.web.security.PemTargets;
import io.lapwing.drain.intake.IntakeTargets;
import io.lapwing.drain.intake.agents.AgentAnswerTargets;
import io.lapwing.drain.intake.aws.AwsTargets;
import io.lapwing.drain.slurm.SlurmTargets;
import io.lapwing.efa.EfaTargets;
import io.lapwing.exposition.ExpositionTargets;
import io.lapwing.gpu.TableTargets;
import io.lapwing.host.HostTargets;
import io.lapwing.http.HttpTargets;
import io.lapwing.inference.InferenceTargets;
import io.lapwing.jobs.JobTargets;
import io.lapwing.kubelet.KubeletTargets;
import io.lapwing.linux.LinuxTargets;
import io.lapwing.lnet.LnetTargets;
import io.lapwing.lustre.LustreTargets;
import io.lapwing.nccl.NcclTargets;
import io.lapwing.nccl.ring.RingTargets;
import io.lapwing.node.NodeTargets;
import io.lapwing.rules.RuleTargets;
import io.lapwing.training.TrainingTargets;
import io.lapwing.xid.XidTargets;
import java.util.List;
import java.util.stream.Stream;

/** Everything that reads what others wrote. */
public final class Targets {

  public static final List<Target> ALL =
      Stream.of(
              LinuxTargets.all(),
              XidTargets.all(),
              TableTargets.all(),
              HostTargets.all(),
              EfaTargets.all(),
              LustreTargets.all(),
              LnetTargets.all(),
              NodeTargets.all(),
              JobTargets.all(),
              KubeletTargets.all(),
              TrainingTargets.all(),
              ExpositionTargets.all(),
              HttpTargets.all(),
              InferenceTargets.all(),
              NcclTargets.all(),
              RingTargets.all(),
              AgentTargets.all(),
              ValueTargets.all(),
              PemTargets.all(),
              RequestTargets.all(),
              EventTargets.all(),
              RuleTargets.all(),
              IntakeTargets.all(),
              AwsTargets.all(),
              AgentAnswerTargets.all(),
              SlurmTargets.all())
          .flatMap(List::stream)
          .toList();

  private Targets() {}

  /**
   * The one of that name.
   *
   * @throws IllegalArgumentException with the known names, if there is none
   */
  static Target named(String name) {
    return ALL.stream()
        .filter(target -> target.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no target "
                        + name
                        + "; there are: "
                        + String.join(", ", ALL.stream().map(Target::name).toList())));
  }
}
