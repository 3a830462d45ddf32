package io.lapwing.drain.replay;

import io.lapwing.drain.intake.Words;
import java.nio.file.Path;

/** A file of the record that cannot be used. Names the file and the place in it. */
public final class UnreadableRecord extends Exception {

  private static final long serialVersionUID = 1;

  UnreadableRecord(Path file, String why) {
    super(file + ": " + Words.plain(why, 300));
  }

  UnreadableRecord(Path file, long line, String why) {
    super(file + ":" + line + ": " + Words.plain(why, 300));
  }
}
