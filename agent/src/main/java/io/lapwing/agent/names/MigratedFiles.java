package io.lapwing.agent.names;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.text.PlainText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The files that a command is given. */
public final class MigratedFiles {

  private MigratedFiles() {}

  /** All of them, before anything is written. */
  public static Map<Path, String> read(CommandLine.Rest rest) throws ConfigException, IOException {
    if (rest.words().isEmpty()) {
      throw MigrateCommand.problem("a file is missing");
    }
    Map<Path, String> files = new LinkedHashMap<>();
    for (String word : rest.words()) {
      if (word.startsWith("-")) {
        throw MigrateCommand.problem(
            "unknown flag '" + PlainText.of(word) + "'" + rest.hint(word, Set.of()));
      }
      files.put(path(word), text(path(word)));
    }
    return files;
  }

  private static Path path(String word) throws ConfigException {
    try {
      return Path.of(word);
    } catch (InvalidPathException wrong) {
      throw MigrateCommand.problem("'" + PlainText.of(word) + "' is not a path");
    }
  }

  private static String text(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException absent) {
      throw new IOException(file + " does not exist", absent);
    } catch (CharacterCodingException binary) {
      throw new IOException(file + " is not text in UTF-8", binary);
    } catch (AccessDeniedException denied) {
      throw new IOException(file + " cannot be read: permission denied", denied);
    }
  }
}
