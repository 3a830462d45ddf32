package io.lapwing.drain.request;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import java.time.Instant;

/**
 * A request for a repair of a node: of an alert, a person, a verdict that was polled. Only a hint;
 * the agent is queried before any action.
 *
 * @param key the same for each repetition: fingerprint and start of an alert
 * @param rule of the alert; empty for a person's request
 * @param reason for people
 * @param source the requester: {@code alertmanager}, {@code operator ada}
 * @param since when the condition began
 * @param trial whether it is a test of the alerts, without any action
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
