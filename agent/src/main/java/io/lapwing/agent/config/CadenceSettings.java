package io.lapwing.agent.config;

import java.time.Duration;

/**
 * How often each kind of collector runs.
 *
 * @param deadline how long one run may take before its source counts as hung
 */
public record CadenceSettings(Duration fast, Duration medium, Duration slow, Duration deadline) {}
