package io.lapwing.node;

import java.time.Instant;

/**
 * EC2 takes this spot instance back.
 *
 * @param action {@code terminate}, {@code stop}, {@code hibernate}
 */
public record SpotInterruption(String action, Instant at) {}
