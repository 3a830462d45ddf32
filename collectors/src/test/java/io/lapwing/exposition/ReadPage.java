package io.lapwing.exposition;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A parsed input, its samples as text. */
record ReadPage(List<String> samples, ExpositionText.Tally tally) {

  private static final SampleNames NAMES = SampleNames.of(List.of("a", "b"), List.of("q:", "z_"));

  static ReadPage of(String page) {
    return of(page, ExpositionText.Limits.DEFAULT);
  }

  static ReadPage of(String page, ExpositionText.Limits limits) {
    return of(bytes(page, true), limits);
  }

  static byte[] bytes(String page, boolean utf8) {
    Charset charset = utf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    return page.getBytes(charset);
  }

  static ReadPage of(byte[] page, ExpositionText.Limits limits) {
    List<String> samples = new ArrayList<>();
    return new ReadPage(samples, read(page, NAMES, limits, sample -> samples.add(text(sample))));
  }

  static void each(String page, SampleNames names, Consumer<ExposedSample> take) {
    read(bytes(page, true), names, ExpositionText.Limits.DEFAULT, take);
  }

  private static ExpositionText.Tally read(
      byte[] page, SampleNames names, ExpositionText.Limits limits, Consumer<ExposedSample> take) {
    try {
      return new ExpositionText(names, limits).read(new ByteArrayInputStream(page), take);
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    }
  }

  private static String text(ExposedSample sample) {
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < sample.labels(); i++) {
      String name = sample.labelName(i);
      if (!sample.labelValue(i).equals(sample.label(name))) {
        throw new AssertionError(name);
      }
      labels.add(name + "=" + sample.labelValue(i));
    }
    return sample.name() + "{" + String.join(",", labels) + "} " + sample.value();
  }
}
