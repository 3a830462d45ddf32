package io.lapwing.drain.jobs;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The cost of a stop for each GPU of a job, in hours; empty if unknown.
 *
 * @param now if it ends now
 * @param atCheckpoint the expected cost if it ends at its next checkpoint
 * @param next when that will be durable
 */
public record Costs(OptionalDouble now, OptionalDouble atCheckpoint, Optional<Instant> next) {}
