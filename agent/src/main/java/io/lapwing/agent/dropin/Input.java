package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Place.Word;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A file that configures dcgm-exporter: a unit of systemd, a command line, a file of variables, a
 * manifest, a compose file, or values of a chart.
 *
 * @param form in which Lapwing's settings fit into its place
 */
record Input(Form form, Found found) {

  private static final Pattern YAML = Pattern.compile("(?i).*\\.(?:ya?ml|json)");
  private static final Pattern SECTION = Pattern.compile("(?m)^\\[(?:Service|Unit)]");
  private static final Pattern ASSIGNMENT =
      Pattern.compile("(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*=.*)");

  enum Form {
    /** Keys of {@code /etc/lapwing/lapwing.yml}. */
    FILE,
    FLAGS,
    VARIABLES,
    /** Values of Lapwing's chart. */
    VALUES
  }

  /** Why a file configures no dcgm-exporter, or is malformed: a line each. */
  static final class Unreadable extends Exception {

    private static final long serialVersionUID = 1;

    private final List<String> problems;

    Unreadable(List<String> problems) {
      super(String.join("\n", problems));
      this.problems = List.copyOf(problems);
    }

    List<String> problems() {
      return problems;
    }
  }

  /** Reads a file with this text. */
  static Input read(Path file, String text) throws Unreadable {
    Found found = new Found();
    Form form = form(file, text, found);
    if (found.isEmpty()) {
      throw new Unreadable(
          List.of(
              file
                  + ": has no dcgm-exporter: it is neither a unit, a command line, a file of"
                  + " variables, a manifest, a compose file nor values of a chart"));
    }
    return new Input(form, found);
  }

  private static Form form(Path file, String text, Found found) throws Unreadable {
    if (YAML.matcher(file.toString()).matches()) {
      return YamlInput.read(file, found);
    }
    if (SECTION.matcher(text).find()) {
      unit(file, text, found);
      return Form.FILE;
    }
    List<Word> assignments = assignments(file, text);
    if (assignments.isEmpty()) {
      Command.read(Words.of(new Place(file, 1), text, found.variables()), found);
      return Form.FLAGS;
    }
    assignments.forEach(word -> found.assignment(word.place(), word.text()));
    return Form.VARIABLES;
  }

  /** The lines of a file that has nothing but variables and comments. */
  private static List<Word> assignments(Path file, String text) {
    List<Word> assignments = new ArrayList<>();
    Variables variables = new Variables();
    List<String> lines = text.lines().map(String::strip).toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      var assignment = ASSIGNMENT.matcher(line);
      if (line.isEmpty() || line.startsWith("#") || line.startsWith(";")) {
        continue;
      }
      if (!assignment.matches()) {
        return List.of();
      }
      String rest = assignment.group(1);
      Place place = new Place(file, i + 1);
      List<Word> words = Words.of(place, rest, variables);
      if (words.size() > 1 && Command.read(words, new Found())) {
        return List.of();
      }
      boolean quoted = rest.contains("\"") || rest.contains("'");
      boolean several = words.stream().allMatch(word -> ASSIGNMENT.matcher(word.text()).matches());
      // systemd and docker read a value with blanks to the end of the line.
      boolean blanks = words.size() > 1 && !quoted && !several;
      assignments.addAll(blanks ? List.of(new Word(place, rest)) : words);
    }
    return assignments;
  }

  /**
   * {@code ExecStart=}, {@code Environment=} and {@code EnvironmentFile=}, with continued lines.
   */
  private static void unit(Path file, String text, Found found) {
    List<Setting> settings = settings(file, text);
    // ExecStart may come before the variables that it refers to.
    Found environment = new Found();
    settings.forEach(setting -> environment(setting, environment));
    found.variables().setAll(environment.variables());
    settings.forEach(setting -> environment(setting, found));
    for (Setting setting : settings) {
      String value = setting.value();
      switch (setting.key()) {
        case "ExecStart" -> {
          String command = value.replaceFirst("^\\s*[-@:+!]+", "");
          Command.read(Words.of(setting.place(), command, found.variables()), found);
        }
        case "EnvironmentFile" ->
            found.remark(
                setting.place(),
                "EnvironmentFile: give "
                    + value.strip().replaceFirst("^-", "")
                    + " to this command, too");
        default -> {
          // The unit of Lapwing has its own restart, user and limits.
        }
      }
    }
  }

  private static void environment(Setting setting, Found found) {
    if (setting.key().equals("Environment")) {
      Words.of(setting.place(), setting.value(), new Variables())
          .forEach(word -> found.assignment(word.place(), word.text()));
    }
  }

  /** A line of a unit; {@code %E} is {@code ${%E}}, a variable that the file does not set. */
  private record Setting(Place place, String key, String value) {

    private static final Pattern SPECIFIER = Pattern.compile("%([A-Za-z%])");

    static Setting of(Place place, String key, String value) {
      return new Setting(
          place,
          key,
          SPECIFIER
              .matcher(value)
              .replaceAll(one -> one.group(1).equals("%") ? "%" : "\\${" + one.group() + "}"));
    }
  }

  private static List<Setting> settings(Path file, String text) {
    List<Setting> settings = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Place place = new Place(file, i + 1);
      String[] parts = lines.get(i).strip().split("=", 2);
      StringBuilder value = new StringBuilder(parts.length == 2 ? parts[1] : "");
      while (!value.isEmpty() && value.charAt(value.length() - 1) == '\\' && i + 1 < lines.size()) {
        i++;
        value.append('\n').append(lines.get(i));
      }
      settings.add(Setting.of(place, parts[0].strip(), value.toString()));
    }
    return settings;
  }
}
