package io.lapwing.drain.cluster;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What came of a command. */
public sealed interface CommandResult {

  /** The scheduler accepted it, or the node was in that state already. */
  record Accepted() implements CommandResult {}

  /**
   * It was not carried out: a permission or a program is missing, or another user holds the node.
   * An operator has to act.
   *
   * @param why for people
   */
  record Refused(String why) implements CommandResult {}

  /**
   * The driver cannot do that with this node. Another remedy may be possible.
   *
   * @param why for people
   */
  record NotPossible(String why) implements CommandResult {}

  /**
   * It was not carried out because the other side is busy; it may be later.
   *
   * @param why for people
   */
  record NotYet(String why) implements CommandResult {}

  /**
   * Whether it was carried out is unknown: a timeout, a lost connection. Only the state of the
   * cluster can show it.
   *
   * @param why for people
   */
  record Unclear(String why) implements CommandResult {}

  /**
   * The command has not ended.
   *
   * @param end its result, which is not one of these
   */
  record Running(CompletableFuture<CommandResult> end) implements CommandResult {

    /** Empty while it runs. */
    public Optional<CommandResult> result() {
      if (!end.isDone()) {
        return Optional.empty();
      }
      return Optional.of(end.exceptionally(bug -> new Unclear("its driver failed: " + bug)).join());
    }
  }

  CommandResult ACCEPTED = new Accepted();
}
