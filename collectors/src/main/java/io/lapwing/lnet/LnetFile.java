package io.lapwing.lnet;

import io.lapwing.collect.Reading;
import io.lapwing.linux.FileFailure;
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
 * Reads a file of LNet from its beginning to its end.
 *
 * <p>{@code peers} and {@code nis} give one peer or interface with each read, and their position is
 * no number of bytes: a read at a position gives the header only, and a read with too little room
 * for the next line fails. So every read offers room for the longest answer.
 */
final class LnetFile {

  /** An interface has a line of at most 128 bytes for each CPU partition, told with one read. */
  private static final int LONGEST_ANSWER = 128 * 256;

  /** More than ten thousand peers: no client has so many. */
  private static final int MOST_BYTES = 1 << 20;

  /** The table of peers fails with ESTALE when it changes between two reads. */
  private static final int ATTEMPTS = 3;

  private final ByteBuffer answer = ByteBuffer.allocateDirect(LONGEST_ANSWER);

  /** Opens the file anew. */
  interface Opening {
    ReadableByteChannel open() throws IOException;
  }

  /** All of it; what is longer than a million bytes is no such file. */
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
    answer.clear();
    while (channel.read(answer) > 0) {
      byte[] part = new byte[answer.flip().remaining()];
      answer.get(part);
      all.writeBytes(part);
      if (all.size() > MOST_BYTES) {
        return Optional.empty();
      }
      answer.clear();
    }
    return Optional.of(all.toString(StandardCharsets.ISO_8859_1));
  }
}
