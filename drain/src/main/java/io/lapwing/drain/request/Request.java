package io.lapwing.drain.request;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import java.time.Instant;

/**
 * That somebody wants a node repaired: an alert, a person, a verdict that was polled. Only a hint;
 * the agent is asked before anything is done.
 *
 * @param key the same for each repetition: fingerprint and start of an alert
 * @param rule of the alert; empty if a person asks
 * @param reason for people
 * @param source who asks: {@code alertmanager}, {@code operator ada}
 * @param since when the condition began
 * @param trial whether it tries the alerts: nothing is done
 */
public record Request(
    String key,
    NodeName node,
    Remedy remedy,
    Urgency urgency,
    String rule,
    String reason,
    String source,
    Instant since,
    boolean trial) {}
