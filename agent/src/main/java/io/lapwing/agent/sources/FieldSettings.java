package io.lapwing.agent.sources;

import io.lapwing.common.config.ConfigException;
import io.lapwing.gpu.DcgmFields;
import io.lapwing.gpu.DcgmFields.DcgmField;
import io.lapwing.gpu.FieldFile;
import io.lapwing.gpu.GpuView.FieldSelection;
import io.lapwing.gpu.LabelField;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which GPU families are exposed.
 *
 * @param unavailable fields of DCGM that Lapwing does not expose or does not know
 * @param warnings settings that are not used, and lines that contradict others
 * @param lines of the field file, and of the one that it names: they show a change
 */
public record FieldSettings(
    FieldSelection selection,
    List<LabelField> labels,
    List<String> unavailable,
    List<String> warnings,
    List<String> lines) {

  private static final Pattern YAML = Pattern.compile("(?i).*\\.ya?ml");

  /** Reads the field file, if any; throws every invalid line. */
  public static FieldSettings read(Optional<Path> file) throws ConfigException {
    if (file.isEmpty()) {
      return of(Optional.empty(), List.of(), List.of());
    }
    return YAML.matcher(file.get().toString()).matches() ? yaml(file.get()) : csv(file.get());
  }

  private static FieldSettings csv(Path file) throws ConfigException {
    List<String> lines = lines("gpu.fields", file);
    FieldFile fields = csv(file, lines);
    return of(Optional.of(fields), fields.contradictions(), lines);
  }

  private static FieldSettings yaml(Path file) throws ConfigException {
    List<String> problems = new ArrayList<>();
    FieldConfig.Content content = FieldConfig.read(file, problems);
    List<String> lines = new ArrayList<>();
    Optional<FieldFile> fields = Optional.empty();
    try {
      if (content.file().isPresent()) {
        lines.addAll(lines(content.file().get().place(), content.file().get().path()));
        fields = Optional.of(csv(content.file().get().path(), lines));
      } else if (content.fields().isPresent()) {
        fields = Optional.of(FieldFile.of(file.toString(), content.fields().get()));
      }
    } catch (ConfigException wrong) {
      problems.addAll(wrong.problems());
    } catch (FieldFile.Malformed wrong) {
      problems.addAll(wrong.problems());
    }
    List<String> warnings = new ArrayList<>(content.warnings());
    fields.ifPresent(read -> warnings.addAll(read.contradictions()));
    names(content, fields)
        .ifPresent(names -> warnings.addAll(FieldGroup.warnings(content.groups(), names)));
    ConfigException.throwAny(problems);
    lines.addAll(lines("gpu.fields", file));
    return of(fields, List.copyOf(warnings), lines);
  }

  /** The fields that a group may have; empty if the field file is invalid. */
  private static Optional<List<String>> names(
      FieldConfig.Content content, Optional<FieldFile> fields) {
    if (content.fields().isPresent()) {
      return content.fields().map(rows -> rows.stream().map(FieldFile.Row::name).toList());
    }
    return content.file().isPresent()
        ? fields.map(FieldFile::names)
        : Optional.of(DcgmFields.load().all().stream().map(DcgmField::name).toList());
  }

  private static FieldFile csv(Path file, List<String> lines) throws ConfigException {
    try {
      return FieldFile.parse(file.toString(), lines);
    } catch (FieldFile.Malformed malformed) {
      throw new ConfigException(malformed.problems());
    }
  }

  /** Without fields the preset selects them. */
  private static FieldSettings of(
      Optional<FieldFile> fields, List<String> warnings, List<String> lines) {
    return new FieldSettings(
        fields.map(FieldFile::selection).orElse(FieldSelection.ALL),
        fields.map(FieldFile::labels).orElse(List.of()),
        fields.map(FieldFile::unavailable).orElse(List.of()),
        warnings,
        List.copyOf(lines));
  }

  private static List<String> lines(String place, Path file) throws ConfigException {
    try {
      return Files.readAllLines(file);
    } catch (IOException unreadable) {
      throw new ConfigException(List.of(place + ": " + file + ": " + reason(file, unreadable)));
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
