package io.lapwing.dcgm;

import io.lapwing.collect.Reading;
import java.util.Map;
import java.util.Set;

/**
 * The policies that are set for GPUs in a host engine, which has one for each GPU, and their
 * violations. Never sets or clears a policy.
 */
public interface DcgmPolicies extends AutoCloseable {

  /**
   * {@code dcgmPolicyGet}: the conditions of each GPU's policy, none for one without a policy. The
   * engine reads its memory only.
   */
  Reading<Map<DcgmEntity, Set<DcgmPolicyCondition>>> set();

  /**
   * {@code dcgmPolicyRegister_v2}, or {@code dcgmPolicyRegister} of DCGM 3, for all conditions: the
   * engine samples eleven fields of each GPU every ten seconds from now on, until the connection
   * ends, and reports those of the policy that is set at that moment.
   */
  Reading<Boolean> register();

  /** Notifications since {@link #register}. */
  long violations(DcgmEntity gpu, DcgmPolicyCondition condition);

  /** {@code dcgmPolicyUnregister}, {@code dcgmGroupDestroy}. */
  @Override
  void close();
}
