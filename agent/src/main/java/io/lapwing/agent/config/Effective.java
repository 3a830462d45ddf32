package io.lapwing.agent.config;

/**
 * An option as it holds.
 *
 * @param key as in the file
 * @param text its value as it would be written; what may be a secret is left out
 * @param place where it was given; empty for the default
 * @param reloads whether SIGHUP is enough to change it
 */
public record Effective(String key, String text, String place, boolean reloads) {}
