package io.lapwing.drain.journal;

import io.lapwing.drain.jobs.BlastRadius;
import io.lapwing.drain.remediation.Remediation;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** All decisions, in order. The only state of the controller that survives a restart. */
public interface Journal {

  /**
   * Adds an entry, and returns once it is durable.
   *
   * @throws IOException if it may not be; nothing may be done then
   */
  void append(Entry entry) throws IOException;

  /** Passes on all entries, oldest first. There may be more than fit into memory. */
  void forEach(Consumer<Entry> reader);

  /** All entries, oldest first. */
  default List<Entry> entries() {
    List<Entry> all = new ArrayList<>();
    forEach(all::add);
    return all;
  }

  /**
   * Drops what need not be kept.
   *
   * @throws IOException if that fails; everything is kept then
   */
  void compact(Instant now) throws IOException;

  /**
   * A transition.
   *
   * @param at when it was written; in virtual time, that of the round
   * @param what happened, for people
   * @param state of the remediation from now on
   * @param radius the effects of a decision; empty if it is not one
   */
  record Entry(Instant at, String what, Remediation state, Optional<BlastRadius> radius) {}
}
