package io.lapwing.agent.sources;

import io.lapwing.common.config.ConfigException;
import io.lapwing.gpu.FieldFile;
import io.lapwing.gpu.GpuView.FieldSelection;
import io.lapwing.gpu.LabelField;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Which GPU families are exposed; {@code lines} of the field file show a change. */
public record FieldSettings(
    FieldSelection selection,
    List<LabelField> labels,
    List<String> unavailable,
    List<String> lines) {

  /** Reads the field file, if any; throws every invalid line. */
  public static FieldSettings read(Optional<Path> file) throws ConfigException {
    if (file.isEmpty()) {
      return new FieldSettings(FieldSelection.ALL, List.of(), List.of(), List.of());
    }
    try {
      List<String> lines = lines(file.get());
      FieldFile fields = FieldFile.parse(file.get().toString(), lines);
      return new FieldSettings(fields.selection(), fields.labels(), fields.unavailable(), lines);
    } catch (FieldFile.Malformed malformed) {
      throw new ConfigException(malformed.problems());
    }
  }

  private static List<String> lines(Path file) throws ConfigException {
    try {
      return Files.readAllLines(file);
    } catch (IOException unreadable) {
      throw new ConfigException(List.of("gpu.fields: " + file + ": " + reason(file, unreadable)));
    }
  }

  private static String reason(Path file, IOException unreadable) {
    if (Files.isDirectory(file)) {
      return "is a directory, not a file";
    }
    if (unreadable instanceof NoSuchFileException) {
      return "does not exist";
    }
    if (unreadable instanceof AccessDeniedException) {
      return "may not be read by this user";
    }
    return unreadable instanceof CharacterCodingException
        ? "is not text in UTF-8"
        : String.valueOf(unreadable.getMessage());
  }
}
