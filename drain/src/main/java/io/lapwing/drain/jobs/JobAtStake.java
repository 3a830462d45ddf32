package io.lapwing.drain.jobs;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job on a node that is to be drained. The unit of damage is the job: if it ends, all of its
 * nodes are idle.
 *
 * @param user its owner; empty if unknown
 * @param nodes on all of which it runs
 * @param gpus of all these nodes; empty if unknown
 * @param durable when its last checkpoint became durable; empty if unknown or none
 * @param now what it loses if it ends now
 * @param atCheckpoint what it is expected to lose if it ends at its next checkpoint
 * @param next when that is expected; empty if unknown
 */
public record JobAtStake(
    String id,
    String user,
    int nodes,
    OptionalInt gpus,
    Optional<Instant> durable,
    Loss now,
    Loss atCheckpoint,
    Optional<Instant> next) {}
