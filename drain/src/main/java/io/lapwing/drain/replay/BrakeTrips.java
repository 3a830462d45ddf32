package io.lapwing.drain.replay;

/**
 * How often a limit closed, and how many remediations waited for it.
 *
 * @param trips from a time at which it stopped nothing
 */
public record BrakeTrips(long trips, int remediations) {}
