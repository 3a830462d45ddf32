package io.lapwing.agent.health;

/** Whom a finding is about. */
public sealed interface Subject {

  Subject NODE = new Node();

  /**
   * As it stands on the page: {@code node}, {@code gpu:GPU-...}, {@code nvswitch:nvidia-nvswitch0}.
   */
  String text();

  /** The node as a whole. */
  record Node() implements Subject {
    @Override
    public String text() {
      return "node";
    }
  }

  /** One GPU, by UUID; by PCI address where only that is known. */
  record Gpu(String uuid) implements Subject {
    @Override
    public String text() {
      return "gpu:" + uuid;
    }
  }

  /** One NVSwitch, by the name of its device. */
  record NvSwitch(String device) implements Subject {
    @Override
    public String text() {
      return "nvswitch:" + device;
    }
  }
}
