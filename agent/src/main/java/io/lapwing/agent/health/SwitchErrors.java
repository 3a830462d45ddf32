package io.lapwing.agent.health;

import java.time.Instant;

/**
 * Errors of one kind of one NVSwitch.
 *
 * @param device {@code nvidia-nvswitch0}
 * @param number of the SXid
 * @param times since boot
 * @param last time of the last one
 */
public record SwitchErrors(String device, int number, boolean fatal, long times, Instant last) {}
