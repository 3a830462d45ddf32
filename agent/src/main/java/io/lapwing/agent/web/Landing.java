package io.lapwing.agent.web;

/**
 * What the landing page says.
 *
 * @param simulated whether the node does not exist
 */
public record Landing(String version, String hostname, boolean simulated) {}
