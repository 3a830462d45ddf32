package io.lapwing.xid;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The content of one message of NVIDIA's drivers in the kernel log. */
public sealed interface KernelFact {

  /**
   * {@code NVRM: Xid (PCI:0000:53:00 GPU-I:05 GPU-CI:00): 43, pid=7194, name=python3, Ch 00000008
   * caused by previous Xid 31}.
   *
   * @param gpuInstance of MIG; empty if not in the line
   * @param computeInstance of MIG; empty if not in the line
   * @param pid also empty where the driver writes {@code '<unknown>'}
   * @param process the value of {@code name=}, chosen by the user; empty if unknown
   * @param message the rest with its continuation lines; may be empty
   * @param cause the number after {@code caused by previous Xid}
   */
  record Xid(
      PciAddress pci,
      OptionalInt gpuInstance,
      OptionalInt computeInstance,
      int number,
      OptionalLong pid,
      Optional<String> process,
      String message,
      OptionalInt cause,
      XidDetail detail)
      implements KernelFact {}

  /** A GPU that fell off the bus, in a line without an XID. */
  record OffBus(PciAddress pci, String message) implements KernelFact {}

  /**
   * A GPU that did not come up: {@code NVRM: GPU 0000:53:00.0: RmInitAdapter failed!
   * (0x62:0x40:2477)}, and for the same failure {@code NVRM: GPU 0000:53:00.0: rm_init_adapter
   * failed, device minor number 4}, which is {@code repeated}.
   */
  record InitFailed(PciAddress pci, String message, boolean repeated) implements KernelFact {}

  /**
   * The driver stops logging each error of the GPU system processor: {@code NVRM: Rate limiting GSP
   * RPC error prints for GPU at PCI:0000:9b:00 (printing 1 of every 30). The GPU likely needs to be
   * reset.}
   */
  record GspErrorsSuppressed(PciAddress pci, String message) implements KernelFact {}

  /**
   * NVLinks were not trained; the driver does not name the GPU: {@code NVRM:
   * knvlinkUpdatePostRxDetectLinkMask_IMPL: Failed to update Rx Detect Link mask!}
   */
  record NvlinkTrainingFailed(String message) implements KernelFact {}

  /**
   * {@code nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20009, Non-fatal, Link 28 RX Short Error
   * Rate}; {@code fatal} is empty for lines with neither word, such as {@code SOE HALTED}.
   */
  record SXid(
      String device,
      PciAddress pci,
      int number,
      Optional<Boolean> fatal,
      OptionalInt link,
      String message)
      implements KernelFact {}

  /** {@code NVRM: GPU at PCI:0000:53:00: GPU-...}: maps addresses to UUIDs even without NVML. */
  record GpuAt(PciAddress pci, String uuid) implements KernelFact {}

  /** {@code NVRM: GPU Board Serial Number: ...}, of the GPU named by the line before it. */
  record BoardSerial(String serial) implements KernelFact {}

  /** {@code NVRM: loading NVIDIA UNIX x86_64 Kernel Module 580.95.05 ...}. */
  record DriverLoaded(String version) implements KernelFact {}
}
