package io.lapwing.drain.queue;

/**
 * What a job waits for.
 *
 * @param words for its owner
 */
public record Wait(Layer layer, String words) {}
