package io.lapwing.drain.guard;

import io.lapwing.drain.cluster.NodeName;
import java.time.Instant;

/** That the controller took a node out of service at some time. */
public record Taken(NodeName node, Instant at) {}
