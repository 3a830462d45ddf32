package io.lapwing.jobs;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a file in the job mapping directory, as dcgm-exporter has it: the index of a GPU, or
 * that and the id of a MIG GPU instance.
 *
 * @param instance empty for the whole GPU
 */
record MappingName(int gpu, OptionalInt instance) {

  /** No node has a GPU or a slice whose number is longer. */
  private static final Pattern FORM = Pattern.compile("([0-9]{1,6})(?:\\.([0-9]{1,6}))?");

  /** Empty for any other file, which is nobody's business here. */
  static Optional<MappingName> parse(String name) {
    Matcher form = FORM.matcher(name);
    if (!form.matches()) {
      return Optional.empty();
    }
    String instance = form.group(2);
    return Optional.of(
        new MappingName(
            Integer.parseInt(form.group(1)),
            instance == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(instance))));
  }

  Optional<GpuPlace> place(GpuTable gpus) {
    return instance.isPresent() ? gpus.slice(gpu, instance.getAsInt()) : gpus.whole(gpu);
  }
}
