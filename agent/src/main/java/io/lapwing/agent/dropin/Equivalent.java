package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Conversion.Result;
import io.lapwing.agent.dropin.ExporterOption.Answer;
import io.lapwing.agent.dropin.Found.Given;
import io.lapwing.agent.dropin.Input.Form;
import io.lapwing.agent.dropin.Place.Remark;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.gpu.NameGeneration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What Lapwing has for a configuration of dcgm-exporter.
 *
 * @param options values by the keys of Lapwing's options
 * @param remarks every difference, in the order of the file
 */
record Equivalent(Map<String, String> options, List<Remark> remarks) {

  private static final Set<String> ALL_ADDRESSES = Set.of("", "0.0.0.0", "::");
  private static final String ADDRESS = "web.listen-address";
  static final String NO_RELEASE = "the release of dcgm-exporter is not given: ";
  static final String NO_ENGINE = "DCGM_FI_PROF_* of GPUs without GPM ";
  static final String NAMES = "gpu.names";
  private static final String HOSTNAME = "gpu.hostname-label";
  static final String ENGINE = "dcgm.engine";
  private static final String FIELDS = "gpu.fields";

  static Equivalent of(Path file, Input input) {
    Equivalent equivalent = new Equivalent(new LinkedHashMap<>(), new ArrayList<>());
    equivalent.read(new Place(file, 1), input, given -> " in line " + given.place().line());
    return equivalent;
  }

  /** Of a process, whose arguments have no lines. */
  static Equivalent ofProcess(Path name, Input input) {
    Equivalent equivalent = new Equivalent(new LinkedHashMap<>(), new ArrayList<>());
    equivalent.read(new Place(name, 1), input, given -> "");
    return equivalent;
  }

  private void read(Place top, Input input, Function<Given, String> line) {
    options.put(ADDRESS, ":9400");
    List<Given> last = last(input.found().given(), line);
    names(top, input.found().image(), hasDriverLabel(input.found(), last));
    last.forEach(given -> translate(given, input.found().mounts()));
    if (input.form() == Form.VALUES) {
      last.forEach(this::onlyPort);
    }
    last.stream().filter(this::isConfigMap).forEach(this::withoutFieldFile);
    withoutEngine(top);
    remarks.addAll(input.found().remarks());
    remarks.addAll(input.found().unknown());
    remarks.sort(Comparator.comparingInt(remark -> remark.place().line()));
  }

  /** A flag replaces a variable, and a field file the one of a configuration file. */
  private static final Comparator<Given> PRECEDENCE =
      Comparator.comparing((Given one) -> !one.option().flag().equals("config-file"))
          .thenComparing(Given::isFlag);

  /** The last value of each option counts, even where it means a default; the others are named. */
  private List<Given> last(List<Given> all, Function<Given, String> line) {
    Map<ExporterOption, Given> last = new LinkedHashMap<>();
    for (Given given : all.stream().sorted(PRECEDENCE).toList()) {
      Optional.ofNullable(last.put(given.option(), given))
          .ifPresent(
              replaced ->
                  remark(
                      replaced,
                      (line.apply(given).isEmpty() && replaced.isFlag() ? "a later " : "")
                          + given.spelled()
                          + line.apply(given)
                          + " replaces it"));
    }
    return List.copyOf(last.values());
  }

  private void translate(Given given, Mounts mounts) {
    ExporterOption option = given.option();
    if (given.value().isEmpty() && !option.variable().equals("NODE_NAME")) {
      remark(given, "has no value; not translated");
      return;
    }
    // An invalid one is among the unknown.
    if (option.takes().isOff(given.value()) || given.problem().isPresent()) {
      return;
    }
    Optional<String> onHost =
        option.isPath() ? mounts.onHost(given.value()) : Optional.<String>empty();
    Optional<String> unknown = onHost.flatMap(Variables::unknown);
    if (unknown.isPresent()) {
      remark(
          given,
          given.value()
              + " is a mount of the host's "
              + onHost.get()
              + ": "
              + unknown.get()
              + "; not translated: set "
              + option.ours());
      return;
    }
    Result result =
        onHost
            .map(
                path ->
                    Result.of(
                        path,
                        given.value()
                            + " is the host's "
                            + path
                            + "; a container of Lapwing needs a mount of it, too"))
            .orElseGet(() -> option.conversion().of(given.value(), option.note()));
    // A configuration file sets the same key as the field file that replaces it.
    result
        .value()
        .ifPresentOrElse(value -> put(option, value), () -> options.remove(option.ours()));
    Answer answer =
        option.answer() == Answer.OPTION && result.value().isEmpty()
            ? Answer.UNNEEDED
            : option.answer();
    result.remark().ifPresent(text -> remark(given, answer + ": " + text));
    // That of a field file says so in any case.
    if (option.isPath() && result.remark().isEmpty() && mounts.isOnlyInContainer(given.value())) {
      remark(given, given.value() + " is a path in the container; give that of the host");
    }
  }

  /** Both files of the image have the row, those of most charts do not. */
  private boolean hasDriverLabel(Found found, List<Given> last) {
    if (!found.isChart()) {
      return true;
    }
    if (last.stream().anyMatch(this::isConfigMap)) {
      return false;
    }
    List<Given> files =
        last.stream().filter(given -> given.option().ours().equals(FIELDS)).toList();
    return files.stream().anyMatch(given -> given.value().endsWith("dcp-metrics-included.csv"))
        || (files.stream().allMatch(given -> given.value().endsWith("default-counters.csv"))
            && found.image().filter(Release::chartFileHasDriverVersion).isPresent())
        // Flags replace those of the chart, which named the file of the image.
        || (last.stream().noneMatch(Given::isFlag)
            && found.image().filter(Release::chartUsesFileOfImage).isPresent());
  }

  /** The chart listens on all addresses. */
  private void onlyPort(Given given) {
    boolean hasHost =
        given.option().ours().equals(ADDRESS)
            && ListenAddress.parse(given.value())
                .filter(address -> !ALL_ADDRESSES.contains(address.host()))
                .isPresent();
    if (hasHost) {
      remark(given, "not supported: the chart listens on all addresses; only port can be set");
    }
  }

  private boolean isConfigMap(Given given) {
    return given.option().conversion() == Conversion.CONFIGMAP
        && !given.value().isEmpty()
        && !given.value().equals("none")
        && given.problem().isEmpty();
  }

  /** dcgm-exporter reads the file only without a ConfigMap. */
  private void withoutFieldFile(Given configMap) {
    String file = options.remove(FIELDS);
    if (file != null) {
      remark(configMap, "dcgm-exporter reads it instead of " + file);
    }
  }

  private void put(ExporterOption option, String value) {
    options.put(option.ours(), value);
    if (option.conversion() == Conversion.JOBS) {
      options.put("hpc-job-label", "true");
    }
  }

  private void remark(Given given, String text) {
    remarks.add(new Remark(given.place(), given.spelled() + ": " + text));
  }

  /** The engine in dcgm-exporter's own process ends with it. */
  private void withoutEngine(Place top) {
    if (!options.containsKey(ENGINE)) {
      remarks.add(
          new Remark(
              top,
              NO_ENGINE
                  + "(A100, A10G, L4, L40S and older) need a running"
                  + " nv-hostengine and "
                  + ENGINE
                  + "; dcgm-exporter has an engine in its own process"));
    }
  }

  /** The names and labels of the release. */
  private void names(Place top, Optional<String> image, boolean driverLabel) {
    Optional<NameGeneration> release = image.flatMap(Release::of);
    NameGeneration names = release.orElse(NameGeneration.CLASSIC);
    if (release.isEmpty()) {
      remarks.add(
          new Remark(
              top,
              NO_RELEASE
                  + NAMES
                  + " is that of 4.8.2 and before; 4.8.3 and 4.8.4 need classic-hostname, later"
                  + " ones 4.9"));
    }
    if (names == NameGeneration.V4_9) {
      remarks.add(
          new Remark(
              top,
              NAMES
                  + ": Lapwing's own rules and dashboards have the classic names; classic,4.9 has"
                  + " both"));
    }
    if (driverLabel || names == NameGeneration.V4_9) {
      options.put(NAMES, names.toString());
    } else if (names == NameGeneration.CLASSIC_HOSTNAME) {
      options.put(HOSTNAME, names.hostnameLabel());
    }
  }
}
