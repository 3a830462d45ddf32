package io.lapwing.jobs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lapwing.kubelet.PodResources;
import io.lapwing.metric.LabelText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The GPU entries of a checkpoint. */
final class CheckpointEntries {

  private final List<Checkpoint.Entry> entries = new ArrayList<>();
  private boolean full;

  List<Checkpoint.Entry> entries() {
    return List.copyOf(entries);
  }

  boolean isFull() {
    return full;
  }

  /** Whether the current object has an entry list, which may be null. */
  boolean readData(JsonParser json) throws IOException {
    boolean there = false;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean wanted = json.currentName().equals("PodDeviceEntries");
      JsonToken value = json.nextToken();
      if (wanted && value == JsonToken.START_ARRAY) {
        readEntries(json);
        there = true;
      } else {
        there |= wanted && value == JsonToken.VALUE_NULL;
        json.skipChildren();
      }
    }
    return there;
  }

  private void readEntries(JsonParser json) throws IOException {
    for (JsonToken at = json.nextToken(); isInside(at); at = json.nextToken()) {
      if (at == JsonToken.START_OBJECT) {
        readEntry(json);
      } else {
        json.skipChildren();
      }
    }
  }

  private void readEntry(JsonParser json) throws IOException {
    String uid = "";
    String container = "";
    String resource = "";
    List<String> devices = List.of();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "PodUID" -> uid = text(json);
        case "ContainerName" -> container = text(json);
        case "ResourceName" -> resource = text(json);
        case "DeviceIDs" -> devices = devices(json);
        default -> json.skipChildren();
      }
    }
    if (PodResources.Device.isGpu(resource)) {
      for (String device : devices) {
        add(new Checkpoint.Entry(LabelText.clean(uid), container, device));
      }
    }
  }

  private void add(Checkpoint.Entry entry) {
    if (entries.size() == PodResources.MAX_DEVICES) {
      full = true;
    } else {
      entries.add(entry);
    }
  }

  private static String text(JsonParser json) throws IOException {
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      return json.getText();
    }
    json.skipChildren();
    return "";
  }

  /**
   * An object keyed by NUMA node since Kubernetes 1.20, a plain list before: takes all strings
   * below.
   */
  private static List<String> devices(JsonParser json) throws IOException {
    List<String> devices = new ArrayList<>();
    int depth = 0;
    do {
      JsonToken at = json.currentToken();
      if (at == null) {
        return devices;
      }
      if (at.isStructStart()) {
        depth++;
      } else if (at.isStructEnd()) {
        depth--;
      } else if (at == JsonToken.VALUE_STRING && devices.size() < PodResources.MAX_DEVICES) {
        devices.add(json.getText());
      }
      if (depth > 0) {
        json.nextToken();
      }
    } while (depth > 0);
    return devices;
  }

  private static boolean isInside(JsonToken at) {
    return at != null && at != JsonToken.END_ARRAY;
  }
}
