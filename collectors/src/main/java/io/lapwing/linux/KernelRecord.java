package io.lapwing.linux;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One message of the kernel itself, never one that user space wrote into its log: the sequence of
 * /dev/kmsg, the time if known, and the text with continuation lines joined by {@code \n}.
 */
public record KernelRecord(OptionalLong sequence, Optional<Instant> at, String text) {}
