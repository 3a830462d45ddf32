package io.lapwing.jobs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.lapwing.collect.Reading;
import io.lapwing.linux.FileFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kubelet's record of allocated devices, {@code kubelet_internal_checkpoint}. Not a public
 * interface, but unchanged since 2017.
 *
 * <pre>
 * {"Data":{"PodDeviceEntries":[{"PodUID":"..","ContainerName":"..","ResourceName":"nvidia.com/gpu",
 *   "DeviceIDs":{"0":["GPU-.."]},"AllocResp":".."}],"RegisteredDevices":{..}},"Checksum":1}
 * </pre>
 */
final class Checkpoint {

  private static final long MAX_BYTES = 16 * 1024 * 1024;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxDocumentLength(MAX_BYTES)
                  .maxStringLength(64 * 1024)
                  .maxNestingDepth(32)
                  .build())
          .build();

  private final Path path;
  private @Nullable Stamp stamp;
  private Reading<List<Entry>> entries;

  private record Stamp(@Nullable Object key, FileTime modified, long size) {}

  /**
   * A device of a container.
   *
   * @param device its id from the device plugin
   */
  record Entry(String podUid, String container, String device) {}

  Checkpoint(Path path) {
    this.path = path;
    this.entries = new Reading.Missing<>(path.toString());
  }

  /** The GPU entries. The file is re-read only when it changed. */
  Reading<List<Entry>> entries() {
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      Stamp seen = new Stamp(now.fileKey(), now.lastModifiedTime(), now.size());
      if (!now.isRegularFile()) {
        entries = failed("not_a_file");
      } else if (!seen.equals(stamp) || entries.failure().isPresent()) {
        stamp = seen;
        entries = now.size() > MAX_BYTES ? failed(FileFailure.TOO_LARGE) : read();
      }
    } catch (NoSuchFileException notThere) {
      entries = new Reading.Missing<>(path.toString());
    } catch (IOException failed) {
      entries = failed(FileFailure.reason(failed));
    }
    return entries;
  }

  private Reading<List<Entry>> read() throws IOException {
    try (InputStream in = Files.newInputStream(path);
        JsonParser json = JSON.createParser(in)) {
      return parse(json);
    } catch (JsonProcessingException malformed) {
      return failed("malformed");
    }
  }

  private Reading<List<Entry>> parse(JsonParser json) throws IOException {
    CheckpointEntries found = new CheckpointEntries();
    boolean there = false;
    if (json.nextToken() == JsonToken.START_OBJECT) {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean data = json.currentName().equals("Data");
        if (json.nextToken() == JsonToken.START_OBJECT && data) {
          there |= found.readData(json);
        } else {
          json.skipChildren();
        }
      }
    }
    if (found.isFull()) {
      return failed("too_many");
    }
    return there ? Reading.of(found.entries()) : failed("malformed");
  }

  private Reading<List<Entry>> failed(String why) {
    return new Reading.Failed<>(path.toString(), why);
  }
}
