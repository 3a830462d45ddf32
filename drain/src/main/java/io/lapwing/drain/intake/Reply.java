package io.lapwing.drain.intake;

/**
 * The answer to an HTTP request.
 *
 * @param status of HTTP: 5xx if the sender has to repeat it
 * @param text for people, of one line or more
 */
public record Reply(int status, String text) {}
