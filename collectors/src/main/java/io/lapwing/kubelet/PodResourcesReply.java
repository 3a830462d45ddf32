package io.lapwing.kubelet;

import io.lapwing.jobs.PodDevice;
import io.lapwing.jobs.PodResources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code v1.ListPodResourcesResponse} of {@code k8s.io/kubelet/pkg/apis/podresources/v1/api.proto}:
 * the GPUs in it. Fields may come in any order.
 *
 * <pre>
 * ListPodResourcesResponse  pod_resources=1
 * PodResources              name=1 namespace=2 containers=3
 * ContainerResources        name=1 devices=2 dynamic_resources=5
 * ContainerDevices          resource_name=1 device_ids=2
 * DynamicResource           claim_resources=4
 * ClaimResource             driver_name=2 device_name=4
 * </pre>
 */
final class PodResourcesReply {

  private static final int MOST_TEXT = 256;

  private final List<PodDevice> devices = new ArrayList<>();

  /** Reads a whole reply. */
  static List<PodDevice> read(ProtoReader message) throws IOException {
    PodResourcesReply reply = new PodResourcesReply();
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      if (field == 1) {
        message.message(reply::pod);
      } else {
        message.skip();
      }
    }
    return List.copyOf(reply.devices);
  }

  /** A device of which the container or the pod is not yet known. */
  private record Found(String container, String resource, String id) {}

  private void pod(ProtoReader message) throws IOException {
    String name = "";
    String namespace = "";
    List<Found> found = new ArrayList<>();
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      switch (field) {
        case 1 -> name = message.text(MOST_TEXT);
        case 2 -> namespace = message.text(MOST_TEXT);
        case 3 -> message.message(container -> container(container, found));
        default -> message.skip();
      }
    }
    for (Found one : found) {
      devices.add(new PodDevice(namespace, name, one.container(), one.resource(), one.id()));
    }
  }

  private void container(ProtoReader message, List<Found> found) throws IOException {
    String name = "";
    List<Found> its = new ArrayList<>();
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      switch (field) {
        case 1 -> name = message.text(MOST_TEXT);
        case 2 -> message.message(device -> device(device, its));
        case 5 -> message.message(claims -> claims(claims, its));
        default -> message.skip();
      }
    }
    for (Found one : its) {
      if (devices.size() + found.size() >= PodResources.MOST_DEVICES) {
        throw new CallFailure(CallFailure.TOO_MANY);
      }
      found.add(new Found(name, one.resource(), one.id()));
    }
  }

  private static void device(ProtoReader message, List<Found> found) throws IOException {
    String resource = "";
    List<String> ids = new ArrayList<>();
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      if (field == 1) {
        resource = message.text(MOST_TEXT);
      } else if (field == 2 && (resource.isEmpty() || PodDevice.isGpu(resource))) {
        add(ids, message.text(MOST_TEXT));
      } else {
        message.skip();
      }
    }
    if (PodDevice.isGpu(resource)) {
      for (String id : ids) {
        add(found, new Found("", resource, id));
      }
    }
  }

  private static void claims(ProtoReader message, List<Found> found) throws IOException {
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      if (field == 4) {
        message.message(claim -> claim(claim, found));
      } else {
        message.skip();
      }
    }
  }

  private static void claim(ProtoReader message, List<Found> found) throws IOException {
    String driver = "";
    String device = "";
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      switch (field) {
        case 2 -> driver = message.text(MOST_TEXT);
        case 4 -> device = message.text(MOST_TEXT);
        default -> message.skip();
      }
    }
    if (PodDevice.isGpu(driver)) {
      add(found, new Found("", driver, device));
    }
  }

  private static <T> void add(List<T> list, T one) throws CallFailure {
    if (list.size() == PodResources.MOST_DEVICES) {
      throw new CallFailure(CallFailure.TOO_MANY);
    }
    list.add(one);
  }
}
