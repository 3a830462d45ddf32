package io.lapwing.agent.process;

/**
 * How the agent stands.
 *
 * @param ready whether there is a page worth scraping
 * @param text what {@code systemctl status} shows of it
 */
public record ServiceStatus(boolean ready, String text) {}
