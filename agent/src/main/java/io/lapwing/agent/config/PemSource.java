package io.lapwing.agent.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where certificates or a key stand in PEM form. */
public sealed interface PemSource {

  /** How an error line begins: file, line and key. */
  String place();

  /** The text. */
  String read() throws IOException;

  /** The file, where it is one. */
  default Optional<Path> file() {
    return this instanceof InFile inFile ? Optional.of(inFile.path()) : Optional.empty();
  }

  record InFile(String place, Path path) implements PemSource {

    /** Bytes that are no text are no PEM either, which the caller then finds. */
    @Override
    public String read() throws IOException {
      return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
    }
  }

  /** In the configuration itself. */
  record Inline(String place, String text) implements PemSource {

    @Override
    public String read() {
      return text;
    }

    /** Without the text, which may be a key. */
    @Override
    public String toString() {
      return "Inline[" + place + "]";
    }
  }
}
