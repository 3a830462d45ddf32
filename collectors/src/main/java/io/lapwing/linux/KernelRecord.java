package io.lapwing.linux;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One message of the kernel itself, never one that user space wrote into its log.
 *
 * @param sequence of /dev/kmsg, from 0 at boot; empty for a message of a log file
 * @param at when it was written; empty if the line has no time
 * @param text the message with its continuation lines, joined by {@code \n}
 */
public record KernelRecord(OptionalLong sequence, Optional<Instant> at, String text) {}
