package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.health.HealthReader.Answer;
import io.lapwing.drain.policy.Policy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All that a decision rests on.
 *
 * @param health asks the agent of the node; only where the answer matters
 * @param against what stands against taking the node; only asked before that
 * @param stopped the kill switch, with its reason: no harm is done while it is set
 */
record Situation(
    Instant now,
    ClusterView cluster,
    Policy policy,
    Supplier<Answer> health,
    Supplier<List<Objection>> against,
    Optional<String> stopped) {}
