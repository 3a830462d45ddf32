package io.lapwing.agent.support;

import io.lapwing.agent.support.BundlePart.MissingPart;
import io.lapwing.common.text.Redaction;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The archive: {@code MANIFEST.txt} first, the parts one after the other, what became of them last.
 * The file is new, never one that a link points to, and only its owner reads it.
 */
final class BundleFile {

  /** More than any part needs; the rest is left out, with a note. */
  static final int MAX_BYTES = 16 << 20;

  private static final String MANIFEST = "MANIFEST.txt";
  private static final String RESULT = "RESULT.txt";

  private BundleFile() {}

  /** Returns what became of each part, a line each. A file that cannot be completed is removed. */
  static String write(Path file, String manifest, List<BundlePart> parts)
      throws IOException, InterruptedException {
    try (OutputStream created =
        Channels.newOutputStream(
            Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------"))))) {
      return write(created, manifest, parts);
    } catch (java.nio.file.FileAlreadyExistsException exists) {
      throw exists;
    } catch (IOException | InterruptedException | RuntimeException incomplete) {
      Files.deleteIfExists(file);
      throw incomplete;
    }
  }

  private static String write(OutputStream to, String manifest, List<BundlePart> parts)
      throws IOException, InterruptedException {
    StringBuilder results = new StringBuilder();
    ZipOutputStream zip = new ZipOutputStream(new BufferedOutputStream(to), StandardCharsets.UTF_8);
    entry(zip, MANIFEST, manifest);
    for (BundlePart part : parts) {
      results.append(add(zip, part)).append('\n');
    }
    entry(zip, RESULT, results.toString());
    zip.finish();
    zip.flush();
    return results.toString();
  }

  private static String add(ZipOutputStream zip, BundlePart part)
      throws IOException, InterruptedException {
    String text;
    try {
      text = Redaction.of(part.source().read());
    } catch (MissingPart missing) {
      return "%-16s left out: %s"
          .formatted(part.name(), Redaction.of(String.valueOf(missing.getMessage())));
    }
    int bytes = entry(zip, part.name(), text);
    String cut = bytes < MAX_BYTES ? "" : ", the rest is left out";
    return "%-16s %,d bytes%s".formatted(part.name(), bytes, cut);
  }

  private static int entry(ZipOutputStream zip, String name, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, MAX_BYTES);
    zip.putNextEntry(new ZipEntry(name));
    zip.write(bytes, 0, length);
    zip.closeEntry();
    return length;
  }
}
