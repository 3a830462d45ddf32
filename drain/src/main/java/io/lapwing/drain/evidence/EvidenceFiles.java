package io.lapwing.drain.evidence;

import io.lapwing.drain.intake.Words;
import io.lapwing.drain.intake.agents.AgentPages;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.EvidenceStore;
import io.lapwing.drain.remediation.Remediation;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One zip file for each repair: what the node's agent serves, and what was decided. A name consists
 * of the remediation's id and the number of the repair, so that no input makes a path.
 */
public final class EvidenceFiles implements EvidenceStore {

  private static final Logger LOG = LoggerFactory.getLogger(EvidenceFiles.class);

  /** By the names of their files; the longest comes last. */
  private static final Map<String, String> PAGES = new LinkedHashMap<>();

  static {
    PAGES.put("health.json", "/api/v1/health");
    PAGES.put("events.json", "/api/v1/events");
    PAGES.put("metrics.txt", "/metrics?preset=full");
  }

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,64}");

  private final Path folder;
  private final Room room;
  private final AgentPages agents;
  private final Supplier<List<Entry>> journal;

  /**
   * @param journal the entries of late, oldest first
   */
  public EvidenceFiles(Path folder, Room room, AgentPages agents, Supplier<List<Entry>> journal) {
    this.folder = folder;
    this.room = room;
    this.agents = agents;
    this.journal = journal;
  }

  @Override
  public Result save(Remediation remediation) {
    if (!ID.matcher(remediation.id()).matches()) {
      return new NotSaved("the id of the remediation cannot be the name of a file");
    }
    Path file = folder.resolve(remediation.id() + "-" + remediation.attempts().size() + ".zip");
    Path unfinished = folder.resolve(file.getFileName() + ".new");
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Room.clear(folder);
      Optional<String> missing = write(unfinished, remediation);
      if (missing.isPresent() && entries(unfinished) < entries(file)) {
        // A refused attempt saved more than the agent, which no longer answers, would serve now.
        Files.delete(unfinished);
        return new NotSaved("that of an earlier try stays, in " + file + ": " + missing.get());
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      room.make(folder, file);
      return missing.isEmpty()
          ? new Saved(file.toString())
          : new NotSaved("not in full, in " + file + ": " + missing.get());
    } catch (IOException e) {
      remove(unfinished);
      return new NotSaved(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  /** On a full disk the journal needs its space. */
  private static void remove(Path unfinished) {
    try {
      Files.deleteIfExists(unfinished);
    } catch (IOException e) {
      LOG.warn("cannot remove {}: {}", unfinished, e.toString());
    }
  }

  /** None if there is no file, or no whole one. */
  private static int entries(Path file) throws IOException {
    if (Files.notExists(file)) {
      return 0;
    }
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.size();
    } catch (ZipException broken) {
      return 0;
    }
  }

  /**
   * Parts that the agent does not serve. After a failure it is not queried again, since it may be
   * hung.
   */
  private Optional<String> write(Path file, Remediation remediation) throws IOException {
    Optional<String> missing = Optional.empty();
    try (FileChannel channel =
            FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")));
        ZipOutputStream zip = new ZipOutputStream(Channels.newOutputStream(channel))) {
      add(zip, "journal.txt", decisions(remediation));
      for (Map.Entry<String, String> page : PAGES.entrySet()) {
        byte[] content;
        try {
          content = agents.get(remediation.node(), page.getValue());
        } catch (IOException e) {
          missing = Optional.of(String.valueOf(e.getMessage()));
          break;
        }
        add(zip, page.getKey(), content);
      }
      zip.finish();
      channel.force(true);
    }
    return missing;
  }

  private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }

  private byte[] decisions(Remediation remediation) {
    StringBuilder text = new StringBuilder();
    for (Entry entry : journal.get()) {
      if (entry.state().id().equals(remediation.id())) {
        text.append(entry.at())
            .append(' ')
            .append(entry.state().node())
            .append(' ')
            .append(entry.state().phase().word())
            .append(": ")
            .append(Words.plain(entry.what(), 1000))
            .append('\n');
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
