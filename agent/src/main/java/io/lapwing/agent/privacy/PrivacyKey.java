package io.lapwing.agent.privacy;

import io.lapwing.agent.config.Settings;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.log.Log;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The secret under which names are hashed: of the cluster, or one of this node. */
public final class PrivacyKey {

  private static final Log LOG = Log.of(PrivacyKey.class);
  private static final String OF_THE_NODE = "privacy.key";
  private static final int MIN_BYTES = 16;
  private static final int MAX_BYTES = 4096;
  private static final int OWN_BYTES = 32;

  private PrivacyKey() {}

  /** The privacy of these settings, with its key; a run that prints once makes no key. */
  public static Privacy of(Settings settings) throws ConfigException {
    Settings.Privacy level = settings.web().guard().privacy();
    if (level == Settings.Privacy.OPEN) {
      return Privacy.OPEN;
    }
    Optional<Path> shared =
        level == Settings.Privacy.HASHED ? settings.web().guard().privacyKey() : Optional.empty();
    return new Privacy(
        level,
        shared.isPresent()
            ? read(shared.get())
            : ofTheNode(settings.paths().state().resolve(OF_THE_NODE), !settings.once()));
  }

  /** The bytes of a file as they are, with a final newline if it has one. */
  public static byte[] read(Path file) throws ConfigException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] key = in.readNBytes(MAX_BYTES + 1);
      if (key.length >= MIN_BYTES && key.length <= MAX_BYTES) {
        if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
          LOG.warn("every user can read the key of pseudonyms, and try names", "file", file);
        }
        return key;
      }
      throw new ConfigException(
          List.of(
              "web.privacy-key: "
                  + file
                  + " has to have "
                  + MIN_BYTES
                  + " to "
                  + MAX_BYTES
                  + " bytes"));
    } catch (IOException e) {
      throw new ConfigException(List.of("web.privacy-key: " + file + " cannot be read: " + e));
    }
  }

  /** Kept, so that a name has the same pseudonym after a restart. */
  static byte[] ofTheNode(Path file, boolean keep) throws ConfigException {
    try {
      boolean exists = Files.exists(file) && Files.size(file) > 0;
      return exists || !keep ? read(file) : create(file);
    } catch (ConfigException | IOException e) {
      if (keep) {
        LOG.warn(
            "the key of pseudonyms cannot be kept; they change with each start",
            "file",
            file,
            "reason",
            e);
      }
      return random();
    }
  }

  private static byte[] create(Path file) throws IOException {
    byte[] key = random();
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      // As the event log does later.
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    }
    // Whole or not at all: a full disk must not leave an empty key.
    Path part = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(part);
    try (SeekableByteChannel channel =
        Files.newByteChannel(
            part,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      channel.write(ByteBuffer.wrap(key));
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    return key;
  }

  private static byte[] random() {
    byte[] key = new byte[OWN_BYTES];
    new SecureRandom().nextBytes(key);
    return key;
  }
}
