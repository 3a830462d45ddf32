package io.lapwing.drain.remediation;

import java.time.Instant;

/** A job that the controller ended, or may have: written down before the command. */
public record EndedJob(String job, Instant at) {}
