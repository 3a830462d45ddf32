package io.lapwing.agent.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** PEM text with certificates or a key: inline or in a file. */
public sealed interface PemSource {

  /** The start of an error line: file, line and key. */
  String place();

  String read() throws IOException;

  /** Empty if inline. */
  default Optional<Path> file() {
    return this instanceof InFile inFile ? Optional.of(inFile.path()) : Optional.empty();
  }

  record InFile(String place, Path path) implements PemSource {

    /** Decodes any bytes: the caller rejects what is not PEM. */
    @Override
    public String read() throws IOException {
      return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
    }
  }

  /** Inside the configuration file. */
  record Inline(String place, String text) implements PemSource {

    @Override
    public String read() {
      return text;
    }

    /** Omits the text, which may be a private key. */
    @Override
    public String toString() {
      return "Inline[" + place + "]";
    }
  }
}
