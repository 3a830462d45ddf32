package io.lapwing.kubelet;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.util.List;

/** Messages of podresources v1, built with protobuf's own library, independent of our reader. */
final class PodResourcesProto {

  private static final FileDescriptor FILE = file();

  private PodResourcesProto() {}

  static DynamicMessage reply(DynamicMessage... pods) {
    return with(message("ListPodResourcesResponse"), "pod_resources", List.of(pods));
  }

  static DynamicMessage pod(String namespace, String name, DynamicMessage... containers) {
    DynamicMessage.Builder pod = message("PodResources");
    set(pod, "name", name);
    set(pod, "namespace", namespace);
    return with(pod, "containers", List.of(containers));
  }

  /** With CPUs, memory and topology beside the devices, like a real kubelet. */
  static DynamicMessage container(String name, DynamicMessage... devices) {
    DynamicMessage.Builder container = message("ContainerResources");
    set(container, "name", name);
    with(container, "cpu_ids", List.of(1L, 2L, 1L << 40));
    DynamicMessage.Builder memory = message("ContainerMemory");
    set(memory, "memory_type", "hugepages-2Mi");
    set(memory, "size", 1L << 50);
    with(container, "memory", List.of(memory.build()));
    return with(container, "devices", List.of(devices));
  }

  static DynamicMessage withClaim(DynamicMessage container, String driver, String device) {
    DynamicMessage.Builder cdi = message("CDIDevice");
    set(cdi, "name", "k8s." + driver + "/claim=" + device);
    DynamicMessage.Builder resource = message("ClaimResource");
    with(resource, "cdi_devices", List.of(cdi.build()));
    set(resource, "driver_name", driver);
    set(resource, "pool_name", "node-1");
    set(resource, "device_name", device);
    DynamicMessage.Builder claim = message("DynamicResource");
    set(claim, "claim_name", "single-gpu");
    set(claim, "claim_namespace", "ml");
    with(claim, "claim_resources", List.of(resource.build()));
    return with(container.toBuilder(), "dynamic_resources", List.of(claim.build()));
  }

  static DynamicMessage devices(String resource, String... ids) {
    DynamicMessage.Builder node = message("NUMANode");
    set(node, "ID", 1L);
    DynamicMessage topology = with(message("TopologyInfo"), "nodes", List.of(node.build()));
    DynamicMessage.Builder devices = message("ContainerDevices");
    set(devices, "resource_name", resource);
    set(devices, "topology", topology);
    return with(devices, "device_ids", List.of(ids));
  }

  private static DynamicMessage.Builder message(String name) {
    Descriptor type = FILE.findMessageTypeByName(name);
    return DynamicMessage.newBuilder(type);
  }

  private static void set(DynamicMessage.Builder message, String field, Object value) {
    message.setField(message.getDescriptorForType().findFieldByName(field), value);
  }

  private static DynamicMessage with(DynamicMessage.Builder message, String field, List<?> values) {
    values.forEach(
        value ->
            message.addRepeatedField(message.getDescriptorForType().findFieldByName(field), value));
    return message.build();
  }

  private static FileDescriptor file() {
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder().setName("api.proto").setPackage("v1").setSyntax("proto3");
    type(file, "ListPodResourcesResponse", many(1, "pod_resources", "PodResources"));
    type(
        file,
        "PodResources",
        one(1, "name", FieldDescriptorProto.Type.TYPE_STRING),
        one(2, "namespace", FieldDescriptorProto.Type.TYPE_STRING),
        many(3, "containers", "ContainerResources"),
        one(4, "cpu_something_new", FieldDescriptorProto.Type.TYPE_FIXED64));
    type(
        file,
        "ContainerResources",
        one(1, "name", FieldDescriptorProto.Type.TYPE_STRING),
        many(2, "devices", "ContainerDevices"),
        one(3, "cpu_ids", FieldDescriptorProto.Type.TYPE_INT64)
            .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED),
        many(4, "memory", "ContainerMemory"),
        many(5, "dynamic_resources", "DynamicResource"));
    type(
        file,
        "ContainerMemory",
        one(1, "memory_type", FieldDescriptorProto.Type.TYPE_STRING),
        one(2, "size", FieldDescriptorProto.Type.TYPE_UINT64));
    type(
        file,
        "ContainerDevices",
        one(1, "resource_name", FieldDescriptorProto.Type.TYPE_STRING),
        one(2, "device_ids", FieldDescriptorProto.Type.TYPE_STRING)
            .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED),
        many(3, "topology", "TopologyInfo").setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL));
    type(file, "TopologyInfo", many(1, "nodes", "NUMANode"));
    type(file, "NUMANode", one(1, "ID", FieldDescriptorProto.Type.TYPE_INT64));
    type(
        file,
        "DynamicResource",
        one(2, "claim_name", FieldDescriptorProto.Type.TYPE_STRING),
        one(3, "claim_namespace", FieldDescriptorProto.Type.TYPE_STRING),
        many(4, "claim_resources", "ClaimResource"));
    type(
        file,
        "ClaimResource",
        many(1, "cdi_devices", "CDIDevice"),
        one(2, "driver_name", FieldDescriptorProto.Type.TYPE_STRING),
        one(3, "pool_name", FieldDescriptorProto.Type.TYPE_STRING),
        one(4, "device_name", FieldDescriptorProto.Type.TYPE_STRING));
    type(file, "CDIDevice", one(1, "name", FieldDescriptorProto.Type.TYPE_STRING));
    try {
      return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]);
    } catch (DescriptorValidationException mistake) {
      throw new IllegalStateException(mistake);
    }
  }

  private static void type(
      FileDescriptorProto.Builder file, String name, FieldDescriptorProto.Builder... fields) {
    DescriptorProto.Builder type = DescriptorProto.newBuilder().setName(name);
    List.of(fields).forEach(type::addField);
    file.addMessageType(type);
  }

  private static FieldDescriptorProto.Builder one(
      int number, String name, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setNumber(number)
        .setName(name)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
  }

  private static FieldDescriptorProto.Builder many(int number, String name, String type) {
    return one(number, name, FieldDescriptorProto.Type.TYPE_MESSAGE)
        .setTypeName(".v1." + type)
        .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED);
  }
}
