package io.lapwing.agent.health.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** A request of an operator in the state directory, until the agent has read it. */
public record PendingRequest(Path file) {

  /** Whether the agent has read it: it removes the file first. */
  public boolean isTaken() {
    return Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Takes it back, so that no agent that starts later carries it out.
   *
   * @return whether it was still there
   * @throws IOException if it cannot be removed
   */
  public boolean withdraw() throws IOException {
    return Files.deleteIfExists(file);
  }
}
