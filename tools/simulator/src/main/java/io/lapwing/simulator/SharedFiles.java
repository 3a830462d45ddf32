package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Small constant files, of which a node has a thousand with a few dozen different texts. Each text
 * is one file with hard links: a new file can cost thirty times as much as a link, and tests create
 * many nodes.
 */
final class SharedFiles {
  private final Path folder;
  private final Map<String, Path> texts = new HashMap<>();

  SharedFiles(Path folder) {
    this.folder = folder;
  }

  /** Creates a file with the text and a newline. To change it, replace it; never write in place. */
  void write(Path file, String text) throws IOException {
    try {
      Files.createLink(file, original(text));
    } catch (UnsupportedOperationException noLinksHere) {
      Files.writeString(file, text + "\n", StandardCharsets.US_ASCII);
    }
  }

  private Path original(String text) throws IOException {
    Path known = texts.get(text);
    if (known != null) {
      return known;
    }
    Files.createDirectories(folder);
    Path made = folder.resolve(Integer.toString(texts.size()));
    Files.writeString(made, text + "\n", StandardCharsets.US_ASCII);
    texts.put(text, made);
    return made;
  }
}
