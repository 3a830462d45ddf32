package io.lapwing.agent.config;

/** A collector as the command line knows it. */
public record CollectorSwitch(String name, boolean defaultOn, String help) {}
