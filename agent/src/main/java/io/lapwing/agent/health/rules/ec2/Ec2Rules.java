package io.lapwing.agent.health.rules.ec2;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules on the metadata of the EC2 instance. */
public final class Ec2Rules {

  private Ec2Rules() {}

  /** In the order of the documentation. */
  public static List<HealthRule> all() {
    return List.of(new MaintenanceScheduled(), new SpotInterrupted());
  }
}
