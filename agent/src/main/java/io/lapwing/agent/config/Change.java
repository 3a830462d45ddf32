package io.lapwing.agent.config;

/**
 * A value that is another one than before; what may be a secret is left out of both texts.
 *
 * @param held whether it could be taken up later, though not now
 */
public record Change(String key, String from, String to, boolean held) {

  public Change(String key, String from, String to) {
    this(key, from, to, false);
  }
}
