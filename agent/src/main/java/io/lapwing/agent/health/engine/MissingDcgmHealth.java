package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.rules.gpu.DcgmHealth;
import java.util.Optional;

/**
 * Why DCGM's health watches have no results although DCGM is used, beside the rules without data.
 */
final class MissingDcgmHealth {

  private MissingDcgmHealth() {}

  /** Empty where DCGM is not used, or all GPUs have results. */
  static Optional<String> why(NodeSnapshot view) {
    return view.gpus().stream()
        .map(GpuStatus::values)
        .map(DcgmHealth::absence)
        .flatMap(Optional::stream)
        .findFirst()
        .map(reason -> "DCGM's health watches have no results: " + reason);
  }
}
