package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Small files that stay as they are, of which a node has a thousand with a few dozen texts: each
 * text is one file, and the others are links to it. A new file can cost a file system thirty times
 * what a link does, and tests make many nodes.
 */
final class SharedFiles {
  private final Path folder;
  private final Map<String, Path> texts = new HashMap<>();

  SharedFiles(Path folder) {
    this.folder = folder;
  }

  /** Makes a file with that text and a newline; to change it one has to replace it. */
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
