package io.lapwing.drain.exec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Programs for tests. */
public final class Scripts {

  private Scripts() {}

  /** A bash script that may be run. */
  public static Path bash(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/bash\n" + body + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
