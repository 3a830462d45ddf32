package io.lapwing.agent.config;

/** A collector that can be enabled and disabled. */
public record CollectorSwitch(String name, boolean defaultOn, String help) {}
