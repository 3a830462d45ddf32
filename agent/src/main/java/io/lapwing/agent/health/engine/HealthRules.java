package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.rules.ec2.Ec2Rule;
import io.lapwing.agent.health.rules.efa.EfaRule;
import io.lapwing.agent.health.rules.gpu.GpuRule;
import io.lapwing.agent.health.rules.gpu.SbeAcceleration;
import io.lapwing.agent.health.rules.host.HostRule;
import io.lapwing.agent.health.rules.lnet.LnetRule;
import io.lapwing.agent.health.rules.lustre.TargetRule;
import io.lapwing.agent.health.rules.nccl.NcclRule;
import io.lapwing.agent.health.rules.training.TrainingRule;
import io.lapwing.agent.health.rules.xid.DriverErrorRule;
import io.lapwing.agent.health.rules.xid.SxidRule;
import io.lapwing.agent.health.rules.xid.XidRule;
import io.lapwing.agent.health.rules.xid.XidRule.Words;
import io.lapwing.xid.SxidTable;
import io.lapwing.xid.XidDetails;
import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** All rules, in the order in which they are shown. */
public final class HealthRules {

  private static final List<List<HealthRule>> PARTS =
      List.of(
          GpuRule.all(),
          EfaRule.all(),
          TargetRule.all(),
          LnetRule.all(),
          NcclRule.all(),
          TrainingRule.all(),
          Ec2Rule.all(),
          HostRule.all());

  private HealthRules() {}

  public static List<HealthRule> under(Policy policy, XidTable table) {
    return under(policy::xid, table);
  }

  /** All rules under a policy that may change. */
  public static List<HealthRule> under(IntFunction<Disposition> xids, XidTable table) {
    List<HealthRule> rules = new ArrayList<>();
    rules.add(new XidRule(xids, new TableWords(table), XidDetails::of));
    rules.add(new SxidRule(SxidTable.load()));
    rules.addAll(DriverErrorRule.all());
    rules.add(new SbeAcceleration());
    PARTS.forEach(rules::addAll);
    return List.copyOf(rules);
  }

  public static List<RuleSpec> specs() {
    List<RuleSpec> specs = new ArrayList<>();
    specs.add(XidRule.specification());
    specs.add(SxidRule.specification());
    DriverErrorRule.all().forEach(rule -> specs.add(rule.spec()));
    specs.add(new SbeAcceleration().spec());
    PARTS.forEach(rules -> rules.forEach(rule -> specs.add(rule.spec())));
    return List.copyOf(specs);
  }

  /** The texts of {@code xid.csv}. */
  private record TableWords(XidTable table) implements Words {

    @Override
    public String name(int number) {
      return row(number).name();
    }

    @Override
    public String why(int number) {
      XidInfo row = row(number);
      boolean differs =
          Arrays.stream(Profile.values())
                  .map(profile -> profile.of(row).action())
                  .distinct()
                  .count()
              > 1;
      return differs ? why(row) + profiles(row) : why(row);
    }

    /** AWS replaces a machine that NVIDIA resets or restarts; each site decides. */
    private static String profiles(XidInfo row) {
      return Arrays.stream(Profile.values())
          .map(profile -> profile + " " + profile.of(row).action().text())
          .collect(Collectors.joining(", ", " The action by profile: ", "."));
    }

    private static String why(XidInfo row) {
      if (row.nvidiaImmediate().isEmpty()) {
        return row.meaning();
      }
      String follow = row.nvidiaFollowUp();
      boolean adds = !follow.isEmpty() && !follow.equals(row.nvidiaImmediate());
      String then = adds ? ", then " + follow : "";
      return row.meaning() + " NVIDIA's catalogue: " + row.nvidiaImmediate() + then + ".";
    }

    @Override
    public String document(int number) {
      return row(number)
          .source()
          .replace("catalogue", "NVIDIA XID catalogue")
          .replace("EKS agent", "EKS node monitoring agent");
    }

    private XidInfo row(int number) {
      return table.get(number);
    }
  }
}
