package io.lapwing.agent.config;

import java.time.Duration;

/**
 * Poll intervals.
 *
 * @param deadline time after which a running poll counts as hung
 */
public record CadenceSettings(Duration fast, Duration medium, Duration slow, Duration deadline) {}
