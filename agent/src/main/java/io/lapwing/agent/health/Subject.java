package io.lapwing.agent.health;

/** Whom a finding is about. */
public sealed interface Subject {

  Subject NODE = new Node();

  /**
   * As it stands on the page: {@code node}, {@code gpu:GPU-...}, {@code nvswitch:nvidia-nvswitch0}.
   */
  String text();

  /** From {@link #text}; what is none of them is about the node. */
  static Subject parse(String text) {
    if (text.startsWith(Gpu.PREFIX)) {
      return new Gpu(text.substring(Gpu.PREFIX.length()));
    }
    return text.startsWith(NvSwitch.PREFIX)
        ? new NvSwitch(text.substring(NvSwitch.PREFIX.length()))
        : NODE;
  }

  /** The node as a whole. */
  record Node() implements Subject {
    @Override
    public String text() {
      return "node";
    }
  }

  /** One GPU, by UUID; by PCI address where only that is known. */
  record Gpu(String uuid) implements Subject {
    static final String PREFIX = "gpu:";

    @Override
    public String text() {
      return PREFIX + uuid;
    }
  }

  /** One NVSwitch, by the name of its device. */
  record NvSwitch(String device) implements Subject {
    static final String PREFIX = "nvswitch:";

    @Override
    public String text() {
      return PREFIX + device;
    }
  }
}
