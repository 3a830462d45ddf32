package io.lapwing.linux;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One message of the kernel itself; what user space wrote into the kernel's log never becomes one.
 *
 * @param sequence of /dev/kmsg, from 0 at boot; empty where the message comes from a log file
 * @param at when it was written; empty where the line does not tell
 * @param text the message with its continuation lines, joined by {@code \n}
 */
public record KernelRecord(OptionalLong sequence, Optional<Instant> at, String text) {}
