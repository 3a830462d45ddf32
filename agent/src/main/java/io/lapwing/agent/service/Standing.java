package io.lapwing.agent.service;

/**
 * How the agent stands.
 *
 * @param ready whether there is a page worth scraping
 * @param text what {@code systemctl status} shows of it
 */
public record Standing(boolean ready, String text) {}
