package io.lapwing.lustre;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The files of one source, each with the root where it was found. Files are opened for each read: a
 * sequence file shows new content only from its start, and an open file keeps the module loaded.
 * For one thread.
 */
final class LustreFiles {

  /** An absent file is searched for once in so many reads: once a minute by default. */
  private static final int READS_PER_SEARCH = 6;

  /** Lines that no parser reads: the time of the read, and what each request changes. */
  private static final List<String> UNREAD =
      List.of("snapshot_time", "elapsed_time", "idle:", "peer_committed:", "last_checked:");

  /**
   * After so many reads of each other file without a read of this one, it is dropped as removed.
   */
  private static final int UNUSED = 100;

  private final LustreRoots roots;
  private final Map<String, Place> places = new HashMap<>();
  private long readings;

  LustreFiles(LustreRoots roots) {
    this.roots = roots;
  }

  /** The path of a file, or the reading to return while it is absent. */
  private static final class Place {
    final Optional<Path> file;
    final Reading<KernelText> absent;
    int reads;
    long asked;
    @Nullable Parsed<?> last;

    Place(LustreRoots.Found found) {
      this.file = found.place();
      this.absent = found.reading();
    }

    /** Returns the text that was parsed last if no line that is parsed has changed since. */
    Reading<KernelText> read(Path path) {
      Parsed<?> parsed = last;
      return parsed == null ? KernelText.read(path) : KernelText.read(path, parsed.text(), UNREAD);
    }
  }

  interface Parser<T> {
    T parse(KernelText text) throws ParseFailure;
  }

  /** The last parsed content of a file and its value: most files do not change. */
  private record Parsed<T>(KernelText text, Parser<T> parser, Optional<T> value) {}

  /** Reads a file that every client has; empty if that fails, which is counted. */
  <T> Optional<T> read(String parameter, Parser<T> parser, SampleSink sink) {
    return read(parameter, reading(parameter), parser, sink);
  }

  /**
   * Reads a file that some clients have. If a root cannot be entered, the file may or may not
   * exist; the files that every client has report the root.
   */
  <T> Optional<T> readIfThere(String parameter, Parser<T> parser, SampleSink sink) {
    Reading<KernelText> reading = reading(parameter);
    return reading.failure().equals(Optional.of("no_permission"))
        ? Optional.empty()
        : read(parameter, reading, parser, sink);
  }

  OptionalDouble number(String parameter, SampleSink sink) {
    Optional<Double> number = readIfThere(parameter, NumberLines::single, sink);
    return number.isPresent() ? OptionalDouble.of(number.get()) : OptionalDouble.empty();
  }

  /** As {@link #read(String, Parser, SampleSink)} of a file that was read already. */
  <T> Optional<T> read(
      String parameter, Reading<KernelText> reading, Parser<T> parser, SampleSink sink) {
    sink.countFailure(reading);
    return reading.toOptional().flatMap(text -> parsed(parameter, text, parser, sink));
  }

  private <T> Optional<T> parsed(
      String parameter, KernelText text, Parser<T> parser, SampleSink sink) {
    try {
      return parsed(parameter, text, parser);
    } catch (ParseFailure failure) {
      sink.failed(failure.file() + ":" + failure.line(), "malformed");
      return Optional.empty();
    }
  }

  /** The last parsed value, if no line that is parsed has changed since. */
  @SuppressWarnings("unchecked") // the same parser makes the same type
  <T> Optional<T> parsed(String parameter, KernelText text, Parser<T> parser) throws ParseFailure {
    Place place = places.get(parameter);
    Parsed<?> last = place == null ? null : place.last;
    if (last != null && last.parser() == parser && last.text().sameBut(UNREAD, text)) {
      return (Optional<T>) last.value();
    }
    Optional<T> value = Optional.of(parser.parse(text));
    if (place != null) {
      place.last = new Parsed<>(text.unsplit(), parser, value);
    }
    return value;
  }

  Reading<KernelText> reading(String parameter) {
    readings++;
    Place place = places.get(parameter);
    if (place != null) {
      place.asked = readings;
    }
    if (place != null && place.file.isPresent()) {
      Reading<KernelText> reading = place.read(place.file.get());
      if (reading instanceof Reading.Present) {
        return reading;
      }
    } else if (place != null && ++place.reads < READS_PER_SEARCH) {
      return place.absent;
    }
    LustreRoots.Found found = roots.find(parameter);
    Place next = new Place(found);
    next.asked = readings;
    if (places.put(parameter, next) == null) {
      long used = readings - (long) UNUSED * places.size();
      places.values().removeIf(one -> one.asked < used);
    }
    return found.reading();
  }

  /** How many files are known. */
  int size() {
    return places.size();
  }
}
