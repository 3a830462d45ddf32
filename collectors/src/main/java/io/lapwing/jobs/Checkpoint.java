package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.json.JsonCursor;
import io.lapwing.json.NotJson;
import io.lapwing.kubelet.PodResources;
import io.lapwing.linux.FileFailure;
import io.lapwing.metric.LabelText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kubelet's {@code kubelet_internal_checkpoint}: no public interface, unchanged since 2017.
 *
 * <pre>
 * {"Data":{"PodDeviceEntries":[{"PodUID":"..","ContainerName":"..","ResourceName":"nvidia.com/gpu",
 *   "DeviceIDs":{"0":["GPU-.."]},"AllocResp":".."}],"RegisteredDevices":{..}},"Checksum":1}
 * </pre>
 */
final class Checkpoint {

  private static final long MAX_BYTES = 16 * 1024 * 1024;

  private final Path path;
  private @Nullable Stamp stamp;
  private Reading<List<Entry>> entries;

  private record Stamp(@Nullable Object key, FileTime modified, long size) {}

  /** The id of a device comes from its plugin. */
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
        JsonCursor json = JsonCursor.of(in)) {
      Parser parser = new Parser(json);
      json.object(parser::readTop);
      if (parser.full) {
        return failed("too_many");
      }
      return parser.found ? Reading.of(List.copyOf(parser.entries)) : failed("malformed");
    } catch (NotJson malformed) {
      return failed("malformed");
    }
  }

  private Reading<List<Entry>> failed(String why) {
    return new Reading.Failed<>(path.toString(), why);
  }

  /** Values of unexpected types are skipped: the format may change without notice. */
  private static final class Parser {

    private final JsonCursor json;
    private final List<Entry> entries = new ArrayList<>();
    private boolean found;
    private boolean full;

    Parser(JsonCursor json) {
      this.json = json;
    }

    void readTop(String name) throws IOException {
      if (name.equals("Data") && json.isObject()) {
        json.object(this::readData);
      } else {
        json.skip();
      }
    }

    private void readData(String name) throws IOException {
      boolean wanted = name.equals("PodDeviceEntries");
      if (wanted && json.isArray()) {
        json.array(this::readEntry);
        found = true;
      } else {
        // Without any device the list is null.
        found |= wanted && json.isNull();
        json.skip();
      }
    }

    private void readEntry() throws IOException {
      if (!json.isObject()) {
        json.skip();
        return;
      }
      String[] fields = {"", "", ""};
      List<String> devices = new ArrayList<>();
      json.object(
          name -> {
            switch (name) {
              case "PodUID" -> fields[0] = json.textOrEmpty();
              case "ContainerName" -> fields[1] = json.textOrEmpty();
              case "ResourceName" -> fields[2] = json.textOrEmpty();
              case "DeviceIDs" -> readDevices(devices);
              default -> json.skip();
            }
          });
      if (PodResources.Device.isGpu(fields[2])) {
        for (String device : devices) {
          add(new Entry(LabelText.clean(fields[0]), fields[1], device));
        }
      }
    }

    /** An object keyed by NUMA node since Kubernetes 1.20, a plain list before: takes all texts. */
    private void readDevices(List<String> devices) throws IOException {
      if (json.isObject()) {
        json.object(node -> readDevices(devices));
      } else if (json.isArray()) {
        json.array(() -> readDevices(devices));
      } else if (json.isText() && devices.size() < PodResources.MAX_DEVICES) {
        devices.add(json.text());
      } else {
        json.skip();
      }
    }

    private void add(Entry entry) {
      if (entries.size() == PodResources.MAX_DEVICES) {
        full = true;
      } else {
        entries.add(entry);
      }
    }
  }
}
