package io.lapwing.lustre;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The files of one source, each with the root where it was found. Files are opened for each read: a
 * sequence file shows a new state only from its beginning on, and its folder goes with the mount,
 * so that a file held open would keep a module from being unloaded. Used by one thread.
 */
final class LustreFiles {

  /** What is nowhere is looked for once in so many times: a minute at the usual cadence. */
  private static final int PATIENCE = 6;

  private final LustreRoots roots;
  private final Map<String, Place> places = new HashMap<>();

  LustreFiles(LustreRoots roots) {
    this.roots = roots;
  }

  /** Where a file is, or what it was said to be where it is nowhere. */
  private static final class Place {
    final Optional<Path> file;
    final Reading<KernelText> nowhere;
    int asked;

    Place(LustreRoots.Found found) {
      this.file = found.place();
      this.nowhere = found.reading();
    }
  }

  /** What becomes of a text. */
  interface Parser<T> {
    T parse(KernelText text) throws ParseFailure;
  }

  /** What is in a file that every client has; empty where it cannot be had, which is counted. */
  <T> Optional<T> read(String parameter, Parser<T> parser, SampleSink sink) {
    return read(reading(parameter), parser, sink);
  }

  /**
   * What is in a file that some clients have. Where one root is closed it may be there or nowhere;
   * that the root is closed is told by those that every client has.
   */
  <T> Optional<T> readIfThere(String parameter, Parser<T> parser, SampleSink sink) {
    Reading<KernelText> reading = reading(parameter);
    return reading.failure().equals(Optional.of("no_permission"))
        ? Optional.empty()
        : read(reading, parser, sink);
  }

  /** A file that holds one number. */
  OptionalDouble number(String parameter, SampleSink sink) {
    Optional<Double> number = readIfThere(parameter, SingleNumber::parse, sink);
    return number.isPresent() ? OptionalDouble.of(number.get()) : OptionalDouble.empty();
  }

  /** What is in a text that was read before. */
  static <T> Optional<T> read(Reading<KernelText> reading, Parser<T> parser, SampleSink sink) {
    if (reading instanceof Reading.Failed<KernelText> failed) {
      sink.failed(failed.question(), failed.reason());
    }
    return reading.toOptional().flatMap(text -> parsed(text, parser, sink));
  }

  private static <T> Optional<T> parsed(KernelText text, Parser<T> parser, SampleSink sink) {
    try {
      return Optional.of(parser.parse(text));
    } catch (ParseFailure failure) {
      sink.failed(failure.file() + ":" + failure.line(), "malformed");
      return Optional.empty();
    }
  }

  Reading<KernelText> reading(String parameter) {
    Place place = places.get(parameter);
    if (place != null && place.file.isPresent()) {
      Reading<KernelText> reading = KernelText.read(place.file.get());
      if (reading instanceof Reading.Present) {
        return reading;
      }
    } else if (place != null && ++place.asked < PATIENCE) {
      return place.nowhere;
    }
    LustreRoots.Found found = roots.find(parameter);
    places.put(parameter, new Place(found));
    return found.reading();
  }
}
