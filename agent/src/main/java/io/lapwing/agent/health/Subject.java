package io.lapwing.agent.health;

public sealed interface Subject {

  Subject NODE = new Node();

  /** The label value: {@code node}, {@code gpu:GPU-...}, {@code efa:rdmap79s0} ... */
  String text();

  sealed interface OfPart extends Subject {
    String kind();

    String name();
  }

  static Subject of(String kind, String name) {
    return kind.equals(Gpu.KIND) ? new Gpu(name) : new Part(kind, name);
  }

  /** From {@link #text}; any other text is the node. */
  static Subject parse(String text) {
    if (text.startsWith(Gpu.PREFIX)) {
      return new Gpu(text.substring(Gpu.PREFIX.length()));
    }
    if (text.startsWith(NvSwitch.PREFIX)) {
      return new NvSwitch(text.substring(NvSwitch.PREFIX.length()));
    }
    int colon = text.indexOf(':');
    return colon > 0 ? new Part(text.substring(0, colon), text.substring(colon + 1)) : NODE;
  }

  record Node() implements Subject {
    @Override
    public String text() {
      return "node";
    }
  }

  /** One GPU, by UUID; by PCI address where the UUID is unknown. */
  record Gpu(String uuid) implements OfPart {
    public static final String KIND = "gpu";

    static final String PREFIX = KIND + ":";

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public String name() {
      return uuid;
    }

    @Override
    public String text() {
      return PREFIX + uuid;
    }
  }

  /**
   * Any other part: {@code efa}/{@code rdmap79s0}, {@code lustre}/{@code scratch-OST0000}, {@code
   * training}/{@code 4711} (a job), {@code 4711//run} (a run of it) or {@code 4711/3} (a rank).
   */
  record Part(String kind, String name) implements OfPart {
    @Override
    public String text() {
      return kind + ":" + name;
    }

    /** For texts: {@code EFA device rdmap79s0}. */
    public String words() {
      return switch (kind) {
        case "efa" -> "EFA device " + name;
        case "lustre" -> "Lustre " + name;
        case "lnet" -> "LNet " + name;
        case "training" -> training();
        default -> text();
      };
    }

    /** The run is the third part where two runs of a job are here; no job is a dash. */
    private String training() {
      String[] names = name.split("/", 3);
      String job = names[0].equals("-") ? "a job without a name" : "job " + names[0];
      String run = names.length > 2 ? ", run " + names[2] : "";
      if (names.length == 1 || names[1].isEmpty()) {
        return job + run;
      }
      return (names[1].equals("-") ? "a rank" : "rank " + names[1]) + " of " + job + run;
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
