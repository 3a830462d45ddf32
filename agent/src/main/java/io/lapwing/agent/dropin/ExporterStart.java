package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Found.Given;
import io.lapwing.agent.dropin.Input.Form;
import io.lapwing.agent.dropin.Place.Word;
import io.lapwing.common.text.PlainText;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code lapwing dcgm-exporter}: the agent, started with flags and variables of dcgm-exporter.
 *
 * @param flags of {@code lapwing agent}; an option whose {@code LAPWING_} variable is set has none
 * @param warnings every difference: {@code flag -d: not supported: ...}
 */
public record ExporterStart(List<String> flags, List<String> warnings) {

  public static final String NAME = "dcgm-exporter";

  public static final String HELP =
      """
      usage: lapwing dcgm-exporter [<flags of dcgm-exporter> ...]

      Runs the agent with the flags and the variables (DCGM_EXPORTER_...) of dcgm-exporter, on port 9400 by default. They are
      translated as by lapwing migrate from-dcgm-exporter, and each difference is a warning on standard error. A LAPWING_
      variable, such as LAPWING_GPU_NAMES, replaces what a flag or a variable of dcgm-exporter sets. The field file is that of
      --collectors, or /etc/dcgm-exporter/default-counters.csv, if it exists.

      Flags:
        -h, --help       Show this help.
        -v, --version    Show the version of Lapwing.
      """;

  /** The default of {@code --collectors}: of the image, a package, or mounted over that. */
  private static final String DEFAULT_FILE = "/etc/dcgm-exporter/default-counters.csv";

  private static final Pattern OF_A_SERVICE =
      Pattern.compile(".*_SERVICE_(HOST|PORT.*)|.*_PORT(_[0-9]+_(TCP|UDP)(_(ADDR|PORT|PROTO))?)?");

  private static final String FIELDS = "gpu.fields";
  private static final Path ARGUMENTS = Path.of("arguments");
  private static final Path ENVIRONMENT = Path.of("environment");

  public ExporterStart {
    flags = List.copyOf(flags);
    warnings = List.copyOf(warnings);
  }

  /** The arguments after the name, and the variables of the process. */
  public static ExporterStart of(List<String> arguments, Map<String, String> environment) {
    return of(arguments, environment, DEFAULT_FILE);
  }

  static ExporterStart of(
      List<String> arguments, Map<String, String> environment, String defaultFile) {
    Found found = found(arguments, environment);
    Equivalent equivalent = Equivalent.ofProcess(ARGUMENTS, new Input(Form.FLAGS, found));
    Map<String, String> options = new LinkedHashMap<>(equivalent.options());
    Optional<String> fields =
        options.containsKey(FIELDS) || hasConfigMap(found)
            ? Optional.empty()
            : fieldFile(found, defaultFile);
    fields.ifPresent(file -> options.put(FIELDS, file));
    options.keySet().removeIf(key -> isSet(key, environment));
    return new ExporterStart(
        options.entrySet().stream().map(one -> "--" + one.getKey() + "=" + one.getValue()).toList(),
        equivalent.remarks().stream()
            .filter(remark -> !isSettled(remark.text(), environment))
            .filter(remark -> fields.isEmpty() || !isOfFields(found, remark.text()))
            .map(remark -> PlainText.of(remark.text()))
            .toList());
  }

  private static boolean isSet(String option, Map<String, String> environment) {
    return !environment.getOrDefault(Rendering.variable(option), "").isEmpty();
  }

  /** Whether a variable of Lapwing sets what a warning misses. */
  private static boolean isSettled(String warning, Map<String, String> environment) {
    return (warning.startsWith(Equivalent.NO_RELEASE) && isSet(Equivalent.NAMES, environment))
        || (warning.startsWith(Equivalent.NO_ENGINE) && isSet(Equivalent.ENGINE, environment));
  }

  private static Found found(List<String> arguments, Map<String, String> environment) {
    Found found = new Found();
    List<Word> words = new ArrayList<>();
    arguments.forEach(text -> words.add(new Word(new Place(ARGUMENTS, words.size() + 1), text)));
    found.arguments(words);
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              if (isExporters(name)) {
                found.variable(new Place(ENVIRONMENT, 1), name, value);
              }
            });
    return found;
  }

  /**
   * Not those that every process has, such as {@code LD_LIBRARY_PATH}, nor those that Kubernetes
   * sets for a Service.
   */
  private static boolean isExporters(String name) {
    return (name.startsWith("DCGM_") && !OF_A_SERVICE.matcher(name).matches())
        || ExporterOption.ofVariable(name).filter(one -> !one.flag().isEmpty()).isPresent();
  }

  /** The default file, where it is one of the site and not only the one of an image. */
  private static Optional<String> fieldFile(Found found, String defaultFile) {
    return Stream.concat(fieldFiles(found).map(Given::value), Stream.of(defaultFile))
        .findFirst()
        .filter(Conversion::isDefaultFile)
        .filter(ExporterStart::exists);
  }

  /** dcgm-exporter reads it instead of a file, and the agent does not. */
  private static boolean hasConfigMap(Found found) {
    return found.given().stream()
        .anyMatch(
            one -> one.option().conversion() == Conversion.CONFIGMAP && !one.value().isEmpty());
  }

  /** A flag counts before a variable, and the last of several. */
  private static Stream<Given> fieldFiles(Found found) {
    List<Given> files =
        new ArrayList<>(
            found.given().stream()
                .filter(one -> one.option().conversion() == Conversion.FIELDS)
                .filter(one -> !one.value().isEmpty())
                .sorted(Comparator.comparing(Given::isFlag))
                .toList());
    return files.isEmpty() ? Stream.of() : Stream.of(files.get(files.size() - 1));
  }

  private static boolean exists(String file) {
    try {
      return Files.isRegularFile(Path.of(file));
    } catch (InvalidPathException wrong) {
      return false;
    }
  }

  private static boolean isOfFields(Found found, String remark) {
    return fieldFiles(found).anyMatch(one -> remark.startsWith(one.spelled() + ": "));
  }
}
