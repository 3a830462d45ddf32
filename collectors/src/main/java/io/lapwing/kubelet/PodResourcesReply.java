package io.lapwing.kubelet;

import io.lapwing.kubelet.PodResources.Claim;
import io.lapwing.kubelet.PodResources.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The GPUs in a {@code v1.ListPodResourcesResponse} of {@code
 * k8s.io/kubelet/pkg/apis/podresources/v1/api.proto}. Fields may come in any order.
 *
 * <pre>
 * ListPodResourcesResponse  pod_resources=1
 * PodResources              name=1 namespace=2 containers=3
 * ContainerResources        name=1 devices=2 dynamic_resources=5
 * ContainerDevices          resource_name=1 device_ids=2
 * DynamicResource           claim_name=2 claim_namespace=3 claim_resources=4
 * ClaimResource             driver_name=2 pool_name=3 device_name=4
 * </pre>
 */
final class PodResourcesReply {

  private static final int MAX_TEXT = 256;

  private final List<Device> devices = new ArrayList<>();

  static List<Device> read(ProtoReader message) throws IOException {
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

  /** A device whose container or pod is not known yet. */
  private record Found(String container, String resource, String id, Claim claim) {}

  private void pod(ProtoReader message) throws IOException {
    String name = "";
    String namespace = "";
    List<Found> found = new ArrayList<>();
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      switch (field) {
        case 1 -> name = message.text(MAX_TEXT);
        case 2 -> namespace = message.text(MAX_TEXT);
        case 3 -> message.message(container -> container(container, found));
        default -> message.skip();
      }
    }
    for (Found one : found) {
      devices.add(
          new Device(namespace, name, one.container(), one.resource(), one.id(), one.claim()));
    }
  }

  private void container(ProtoReader message, List<Found> found) throws IOException {
    String name = "";
    List<Found> its = new ArrayList<>();
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      switch (field) {
        case 1 -> name = message.text(MAX_TEXT);
        case 2 -> message.message(device -> device(device, its));
        case 5 -> message.message(claims -> claims(claims, its));
        default -> message.skip();
      }
    }
    for (Found one : its) {
      if (devices.size() + found.size() >= PodResources.MAX_DEVICES) {
        throw new CallFailure(CallFailure.TOO_MANY);
      }
      found.add(new Found(name, one.resource(), one.id(), one.claim()));
    }
  }

  private static void device(ProtoReader message, List<Found> found) throws IOException {
    String resource = "";
    List<String> ids = new ArrayList<>();
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      if (field == 1) {
        resource = message.text(MAX_TEXT);
      } else if (field == 2 && (resource.isEmpty() || Device.isGpu(resource))) {
        add(ids, message.text(MAX_TEXT));
      } else {
        message.skip();
      }
    }
    if (Device.isGpu(resource)) {
      for (String id : ids) {
        add(found, new Found("", resource, id, Claim.NONE));
      }
    }
  }

  private static void claims(ProtoReader message, List<Found> found) throws IOException {
    String name = "";
    String namespace = "";
    List<Claim> claims = new ArrayList<>();
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      switch (field) {
        case 2 -> name = message.text(MAX_TEXT);
        case 3 -> namespace = message.text(MAX_TEXT);
        case 4 -> message.message(claim -> claim(claim, claims));
        default -> message.skip();
      }
    }
    for (Claim one : claims) {
      Claim claim = new Claim(name, namespace, one.driver(), one.pool(), one.device());
      add(found, new Found("", one.driver(), one.device(), claim));
    }
  }

  /** A device of a claim, whose name is not known yet. */
  private static void claim(ProtoReader message, List<Claim> found) throws IOException {
    String driver = "";
    String pool = "";
    String device = "";
    for (int field = message.field(); field != ProtoReader.END; field = message.field()) {
      switch (field) {
        case 2 -> driver = message.text(MAX_TEXT);
        case 3 -> pool = message.text(MAX_TEXT);
        case 4 -> device = message.text(MAX_TEXT);
        default -> message.skip();
      }
    }
    if (Device.isGpu(driver)) {
      add(found, new Claim("", "", driver, pool, device));
    }
  }

  private static <T> void add(List<T> list, T one) throws CallFailure {
    if (list.size() == PodResources.MAX_DEVICES) {
      throw new CallFailure(CallFailure.TOO_MANY);
    }
    list.add(one);
  }
}
