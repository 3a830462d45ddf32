package io.lapwing.lnet;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.ParseFailure;
import java.nio.file.Path;
import java.util.Optional;

/** Reads and parses one file of LNet; a failure is counted and leaves no sample. */
final class LnetTable<T> {

  private final String name;
  private final Parser<T> parser;
  private final LnetFile file = new LnetFile();

  /** Parses the text of a file. */
  interface Parser<T> {
    T parse(String file, String text) throws ParseFailure;
  }

  LnetTable(String name, Parser<T> parser) {
    this.name = name;
    this.parser = parser;
  }

  Optional<T> read(Path folder, SampleSink sink) {
    Path path = folder.resolve(name);
    Reading<String> text = file.text(path);
    text.failure().ifPresent(reason -> sink.failed(path.toString(), reason));
    try {
      return text instanceof Reading.Present<String> present
          ? Optional.of(parser.parse(path.toString(), present.value()))
          : Optional.empty();
    } catch (ParseFailure malformed) {
      sink.failed(malformed.file(), "malformed");
      return Optional.empty();
    }
  }
}
