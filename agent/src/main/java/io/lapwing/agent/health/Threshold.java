package io.lapwing.agent.health;

/**
 * A number of a rule that a site may set.
 *
 * @param name {@code floor_per_hour}
 * @param unit {@code seconds}, {@code errors}, {@code ratio} ...
 * @param about one sentence, with the source of the preset
 */
public record Threshold(
    String name, double preset, double least, double most, String unit, String about) {}
