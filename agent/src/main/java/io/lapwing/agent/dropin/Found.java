package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Place.Remark;
import io.lapwing.agent.dropin.Place.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The settings of dcgm-exporter in a file, as they are read. */
final class Found {

  private final List<Given> given = new ArrayList<>();
  private final List<Remark> remarks = new ArrayList<>();
  private final List<Remark> unknown = new ArrayList<>();
  private final Mounts mounts = new Mounts();
  private final Variables variables = new Variables();
  private final Map<String, String> values = new TreeMap<>();
  private Optional<String> image = Optional.empty();
  private boolean any;
  private boolean chart;

  /**
   * A flag or variable with its value.
   *
   * @param spelled {@code flag -f}, {@code variable DCGM_EXPORTER_INTERVAL}
   */
  record Given(Place place, String spelled, boolean isFlag, ExporterOption option, String value) {

    /** Why the value cannot be translated. */
    Optional<String> problem() {
      return Variables.unknown(value)
          .map(
              why ->
                  why
                      + "; not translated"
                      + (option.ours().isEmpty() ? "" : ": set " + option.ours()))
          .or(() -> option.takes().problem(value).map(why -> why + "; not translated"));
    }
  }

  /** The flags of a command line, in any of Go's forms: {@code -f x}, {@code --collectors=x}. */
  void arguments(List<Word> words) {
    any = true;
    for (int i = 0; i < words.size(); i++) {
      Word word = words.get(i);
      String[] parts = word.text().split("=", 2);
      boolean hasNext = i + 1 < words.size();
      Optional<ExporterOption> option = ExporterOption.ofFlag(parts[0].replaceFirst("^--?", ""));
      boolean takesNext = parts.length == 1 && hasNext;
      Optional<String> variable = Variables.unknown(word.text());
      if (!word.text().startsWith("-") && variable.isPresent()) {
        unknown(
            word.place(), "'" + word.text() + "': " + variable.get() + "; its flags are not read");
      } else if (!word.text().startsWith("-")) {
        unknown(word.place(), "'" + word.text() + "' is not a flag; those after it are not read");
        return;
      } else if (option.isEmpty()) {
        unknown(word.place(), "unknown flag " + parts[0] + ExporterOption.hint(parts[0]));
        i += takesNext && !words.get(i + 1).text().startsWith("-") ? 1 : 0;
      } else if (parts.length == 1 && !option.get().isSwitch() && !hasNext) {
        unknown(word.place(), "flag " + parts[0] + " needs a value");
      } else {
        i += takesNext && !option.get().isSwitch() ? 1 : 0;
        String alone = option.get().isSwitch() ? "true" : words.get(i).text();
        String value = parts.length == 2 ? parts[1] : alone;
        given(new Given(word.place(), "flag " + parts[0], true, option.get(), value));
      }
    }
  }

  /** A variable; the value of one that is not dcgm-exporter's may be a secret. */
  void variable(Place place, String name, String value) {
    Optional<ExporterOption> option = ExporterOption.ofVariable(name);
    if (option.isPresent()) {
      any = true;
      given(new Given(place, "variable " + name, false, option.get(), variables.expand(value)));
    } else if (name.startsWith("DCGM_")) {
      unknown(place, "unknown variable " + name + ExporterOption.hint(name));
    } else {
      remark(place, "variable " + name + ": not one of dcgm-exporter; not translated");
    }
  }

  /** What a chart sets where its values do not. */
  void chartDefault(Place place, String name, String value) {
    ExporterOption.ofVariable(name)
        .ifPresent(
            option ->
                given(
                    new Given(
                        place, "the chart's default " + name + "=" + value, false, option, value)));
  }

  /** An invalid value stops dcgm-exporter; it is not translated. */
  private void given(Given one) {
    given.add(one);
    one.problem().ifPresent(why -> unknown(one.place(), one.spelled() + ": " + why));
  }

  /** {@code NAME=VALUE}. */
  void assignment(Place place, String text) {
    int equals = text.indexOf('=');
    if (equals > 0) {
      String name = text.substring(0, equals);
      String value = text.substring(equals + 1);
      variable(place, name, value);
      variables.set(name, variables.expand(value));
    } else {
      remark(place, "variable " + text + ": its value is not in this file");
    }
  }

  void image(Place place, String name) {
    any = true;
    image = Optional.of(name);
    Variables.unknown(name)
        .filter(why -> Release.of(name).isEmpty())
        .ifPresent(why -> unknown(place, "the image is not known: " + why));
  }

  /** The file configures dcgm-exporter, if only by defaults. */
  void present() {
    any = true;
  }

  /** The file has values of dcgm-exporter's own chart, which has a field file of its own. */
  void chart() {
    chart = true;
  }

  boolean isChart() {
    return chart;
  }

  void remark(Place place, String text) {
    remarks.add(new Remark(place, text));
  }

  void unknown(Place place, String text) {
    unknown.add(new Remark(place, text));
  }

  boolean isEmpty() {
    return !any && unknown.isEmpty();
  }

  /** A value of Lapwing's chart: {@code serviceMonitor.interval}, as YAML. */
  void value(String key, String yaml) {
    values.put(key, yaml);
  }

  Map<String, String> values() {
    return values;
  }

  Variables variables() {
    return variables;
  }

  Mounts mounts() {
    return mounts;
  }

  List<Given> given() {
    return given;
  }

  List<Remark> remarks() {
    return remarks;
  }

  List<Remark> unknown() {
    return unknown;
  }

  Optional<String> image() {
    return image;
  }
}
