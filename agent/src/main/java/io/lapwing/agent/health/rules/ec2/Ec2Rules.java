package io.lapwing.agent.health.rules.ec2;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules that look at what EC2 says of the instance. */
public final class Ec2Rules {

  private Ec2Rules() {}

  /** In the order in which they are listed to people. */
  public static List<HealthRule> all() {
    return List.of(new MaintenanceScheduled(), new SpotInterrupted());
  }
}
