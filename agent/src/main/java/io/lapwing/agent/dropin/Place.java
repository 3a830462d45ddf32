package io.lapwing.agent.dropin;

import java.nio.file.Path;

/** A line of a file, counted from 1. */
record Place(Path file, int line) {

  /** A word of a command line. */
  record Word(Place place, String text) {}

  /** The context of a line. */
  record Remark(Place place, String text) {

    @Override
    public String toString() {
      return place + ": " + text;
    }
  }

  @Override
  public String toString() {
    return file + ":" + line;
  }
}
