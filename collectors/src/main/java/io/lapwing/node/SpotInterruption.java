package io.lapwing.node;

import java.time.Instant;

/**
 * EC2 interrupts this spot instance.
 *
 * @param action {@code terminate}, {@code stop}, {@code hibernate}
 */
public record SpotInterruption(String action, Instant at) {}
