package io.lapwing.lnet;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.FileFailure;
import io.lapwing.linux.ParseFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Reads one file of LNet, and parses it if it has changed. A failure is counted and leaves no
 * sample.
 */
final class LnetTable<T> {

  private final String name;
  private final Parser<T> parser;
  private final LnetFile file = new LnetFile();
  private String lastText = "";
  private Optional<T> last = Optional.empty();

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
    if (!(text instanceof Reading.Present<String> present)) {
      return Optional.empty();
    }
    if (last.isPresent() && lastText.equals(present.value())) {
      return last;
    }
    try {
      last = Optional.of(parser.parse(path.toString(), present.value()));
      lastText = present.value();
      return last;
    } catch (ParseFailure malformed) {
      sink.failed(malformed.file(), "malformed");
      return Optional.empty();
    }
  }

  /**
   * Reads a whole file of LNet. A read of {@code peers} or {@code nis} returns one entry, and the
   * position is not in bytes: a positional read returns only the header, and a buffer too small for
   * the next line fails. So every read has room for the longest result.
   */
  static final class LnetFile {

    /** One read returns an interface: a line of at most 128 bytes per CPU partition. */
    private static final int MAX_READ = 128 * 256;

    /** More than ten thousand peers; no client has that many. */
    private static final int MAX_BYTES = 1 << 20;

    /** The table of peers fails with ESTALE if it changes between two reads. */
    private static final int ATTEMPTS = 3;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_READ);

    interface Opening {
      ReadableByteChannel open() throws IOException;
    }

    /** The whole text; malformed if it is longer than a million bytes. */
    Reading<String> text(Path file) {
      return text(file.toString(), () -> FileChannel.open(file, StandardOpenOption.READ));
    }

    Reading<String> text(String question, Opening file) {
      try {
        return read(file)
            .<Reading<String>>map(Reading::of)
            .orElseGet(() -> new Reading.Failed<>(question, "malformed"));
      } catch (IOException failed) {
        return FileFailure.reading(question, failed);
      }
    }

    private Optional<String> read(Opening file) throws IOException {
      for (int attempt = 1; ; attempt++) {
        try (ReadableByteChannel channel = file.open()) {
          return all(channel);
        } catch (NoSuchFileException | AccessDeniedException plain) {
          throw plain;
        } catch (IOException perhapsStale) {
          if (attempt == ATTEMPTS) {
            throw perhapsStale;
          }
        }
      }
    }

    private Optional<String> all(ReadableByteChannel channel) throws IOException {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      buffer.clear();
      while (channel.read(buffer) > 0) {
        byte[] part = new byte[buffer.flip().remaining()];
        buffer.get(part);
        all.writeBytes(part);
        if (all.size() > MAX_BYTES) {
          return Optional.empty();
        }
        buffer.clear();
      }
      return Optional.of(all.toString(StandardCharsets.ISO_8859_1));
    }
  }
}
