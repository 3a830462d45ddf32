package io.lapwing.agent;

import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.efa.EfaRules;
import io.lapwing.agent.health.inventory.InventoryRules;
import io.lapwing.agent.health.lnet.LnetRules;
import io.lapwing.agent.health.lustre.LustreRules;
import io.lapwing.agent.health.nccl.NcclRules;
import io.lapwing.agent.health.rules.RulesOfGpus;
import io.lapwing.agent.health.rules.SbeAcceleration;
import io.lapwing.agent.health.training.TrainingRules;
import io.lapwing.agent.health.xid.SxidRule;
import io.lapwing.agent.health.xid.XidRule;
import io.lapwing.agent.health.xid.XidWords;
import io.lapwing.xid.XidDetails;
import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Every rule there is, in the order in which they are shown. */
final class HealthRules {

  private static final List<List<HealthRule>> PARTS =
      List.of(
          RulesOfGpus.all(),
          EfaRules.all(),
          LustreRules.all(),
          LnetRules.all(),
          NcclRules.all(),
          TrainingRules.all(),
          InventoryRules.all());

  private HealthRules() {}

  /** The rules under a policy. */
  static List<HealthRule> under(Policy policy, XidTable table) {
    return under(policy::xid, table);
  }

  /**
   * The same where the policy may change.
   *
   * @param xids what an XID means, by its number
   */
  static List<HealthRule> under(IntFunction<Call> xids, XidTable table) {
    List<HealthRule> rules = new ArrayList<>();
    rules.add(new XidRule(xids, new TableWords(table), XidDetails::of));
    rules.add(new SxidRule());
    rules.add(new SbeAcceleration());
    PARTS.forEach(rules::addAll);
    return List.copyOf(rules);
  }

  /** What they say of themselves, which no policy changes. */
  static List<RuleSpec> specs() {
    List<RuleSpec> specs = new ArrayList<>();
    specs.add(XidRule.specification());
    specs.add(new SxidRule().spec());
    specs.add(new SbeAcceleration().spec());
    PARTS.forEach(rules -> rules.forEach(rule -> specs.add(rule.spec())));
    return List.copyOf(specs);
  }

  /** The words of {@code xid.csv}. */
  private record TableWords(XidTable table) implements XidWords {

    @Override
    public String name(int number) {
      return row(number).name();
    }

    @Override
    public String why(int number) {
      XidInfo row = row(number);
      if (row.nvidiaImmediate().isEmpty()) {
        return row.meaning();
      }
      String then = row.nvidiaFollowUp().isEmpty() ? "" : ", then " + row.nvidiaFollowUp();
      return row.meaning() + " NVIDIA's catalogue: " + row.nvidiaImmediate() + then + ".";
    }

    @Override
    public String document(int number) {
      return row(number).source();
    }

    private XidInfo row(int number) {
      return table.get(number);
    }
  }
}
