package io.lapwing.xid;

import io.lapwing.xid.Nvlink5Table.Layout;
import io.lapwing.xid.XidDetail.Containment;
import io.lapwing.xid.XidDetail.Nvlink5;
import io.lapwing.xid.XidDetail.Nvlink5Unreadable;
import io.lapwing.xid.XidDetail.NvlinkRegisters;
import io.lapwing.xid.XidDetail.RecoveryChange;
import io.lapwing.xid.XidDetail.RegisterJudgement;
import io.lapwing.xid.XidDetail.SmPlace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Parses the messages of the XIDs that carry more than their number. */
public final class XidDetails {

  private XidDetails() {}

  /** The detail of a stored message of a driver version, which is empty where unknown. */
  public static XidDetail of(int number, String message, Optional<String> driverVersion) {
    return of(number, message, () -> driverVersion.flatMap(Layout::of));
  }

  /** The detail of a message; the layout is read only for the XIDs that need it. */
  static XidDetail of(int number, String message, Supplier<Optional<Layout>> layout) {
    return switch (number) {
      case 13 -> SmText.read(message);
      case 74 -> NvlinkText.read(message);
      case 94, 95 -> ContainmentText.read(message);
      case 144, 145, 146, 147, 148, 149, 150 -> Nvlink5Text.read(number, message, layout.get());
      case 154 -> RecoveryText.read(message);
      default -> XidDetail.NONE;
    };
  }

  /**
   * What decides the disposition of a message beside the number: two XIDs that differ in it are not
   * duplicates. Independent of the driver version: of 144 to 150 the resolutions of both layouts.
   *
   * @return {@code HARDWARE}, {@code to 2}, {@code RST Yes, D-RST No}; empty if the number decides
   */
  public static String distinction(int number, String message) {
    XidDetail detail = of(number, message, Optional::empty);
    if (detail instanceof Containment flags) {
      return "RST " + flags.reset() + ", D-RST " + flags.drainAndReset();
    }
    if (detail instanceof RecoveryChange change) {
      return "to " + change.to();
    }
    if (detail instanceof NvlinkRegisters link) {
      return link.judgement().toString();
    }
    if (detail instanceof Nvlink5 link) {
      return Arrays.stream(Layout.values())
          .map(
              layout ->
                  Nvlink5Table.resolution(
                          number, link.unit(), layout, link.intrInfo(), link.errorStatus())
                      .name())
          .collect(Collectors.joining(" or ", link.fatal() ? "Fatal " : "", ""));
    }
    if (detail instanceof Nvlink5Unreadable link) {
      return link.fatal() ? "Fatal" : "";
    }
    return "";
  }

  /** The part of the GPU that a message names: an SM of XID 13, a link; empty if it names none. */
  public static String place(XidDetail detail) {
    if (detail instanceof SmPlace sm) {
      return "GPC " + sm.gpc() + ", TPC " + sm.tpc();
    }
    if (detail instanceof Nvlink5 link) {
      return link.link().isPresent() ? "link " + link.link().getAsInt() : "";
    }
    return detail instanceof NvlinkRegisters link ? "link " + link.link() : "";
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }

  private static long hex(Matcher matcher, int group) {
    return Long.parseLong(matcher.group(group), 16);
  }

  /** 13: {@code Graphics SM Warp Exception on (GPC 1, TPC 3, SM 0): Out Of Range Address}. */
  private static final class SmText {

    private static final Pattern PLACE =
        Pattern.compile("\\(GPC (\\d{1,4}), TPC (\\d{1,4}), SM (\\d{1,4})\\)");

    static XidDetail read(String message) {
      Matcher place = PLACE.matcher(message);
      return place.find()
          ? new SmPlace(number(place, 1), number(place, 2), number(place, 3))
          : XidDetail.NONE;
    }
  }

  /**
   * 74: {@code NVLink: fatal error detected on link 14(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)},
   * with registers 1 to 7 in order.
   */
  private static final class NvlinkText {

    private static final String REGISTER = ", ?0x([0-9a-fA-F]{1,8})";
    private static final Pattern LINK =
        Pattern.compile("link (\\d{1,3}) ?\\(0x([0-9a-fA-F]{1,8})" + REGISTER.repeat(6) + "\\)");

    static XidDetail read(String message) {
      Matcher link = LINK.matcher(message);
      if (!link.find()) {
        return XidDetail.NONE;
      }
      List<Long> registers = new ArrayList<>();
      for (int group = 2; group <= link.groupCount(); group++) {
        registers.add(hex(link, group));
      }
      return new NvlinkRegisters(number(link, 1), registers, HopperRegisters.evaluate(registers));
    }
  }

  /**
   * 94 and 95: {@code Contained: CE User Channel (0x9). RST: No, D-RST: No}, with none to three
   * places in the brackets, and for memory {@code physAddr: 0x00001000} before {@code RST}.
   */
  private static final class ContainmentText {

    private static final Pattern WORDS =
        Pattern.compile("(Contained|Uncontained): ([^(.\\n]++)(?s:(.*))");
    private static final Pattern RESET = Pattern.compile("[ .]RST: (Yes|No)\\b");
    private static final Pattern DRAIN_AND_RESET = Pattern.compile(" D-RST: (Yes|No)\\b");

    static XidDetail read(String message) {
      Matcher words = WORDS.matcher(message);
      return words.matches()
          ? new Containment(
              words.group(1).equals("Contained"),
              words.group(2).strip(),
              yes(RESET, words.group(3)),
              yes(DRAIN_AND_RESET, words.group(3)))
          : XidDetail.NONE;
    }

    private static Optional<Boolean> yes(Pattern pattern, String text) {
      Matcher answer = pattern.matcher(text);
      return answer.find() ? Optional.of(answer.group(1).equals("Yes")) : Optional.empty();
    }
  }

  /**
   * 144 to 150: {@code UNIT Fatal|Nonfatal XC0|XC1 iK Link NN (intrInfo errorStatus debug ...)}, as
   * in {@code RLW_SRC_TRACK Nonfatal XC1 i0 Link 12 (0x040988e2 0x00000008 ...)}.
   */
  private static final class Nvlink5Text {

    private static final int REASON_SHIFT = 20;
    private static final int REASON_MASK = 0x3F;

    private static final String HEX = "0x([0-9a-fA-F]{1,8})";
    private static final Pattern FORM =
        Pattern.compile(
            "([A-Z]\\S*+(?: \\S++)?)\\s++(Fatal|Nonfatal)\\s++XC\\d\\s++i\\d{1,4}\\s++"
                + ("Link\\s++(-1|\\d{1,3})\\s++\\(" + HEX + "\\s++" + HEX + "(?=[ )]|$)"));

    private static final Pattern UNREADABLE =
        Pattern.compile("([A-Z]\\S*+(?: \\S++)?)\\s++(Fatal|Nonfatal)(?=[ ,]|$)");

    static XidDetail read(int number, String message, Optional<Layout> layout) {
      Matcher form = FORM.matcher(message);
      if (form.lookingAt()) {
        return nvlink5(number, form, layout);
      }
      Matcher start = UNREADABLE.matcher(message);
      return start.lookingAt()
          ? new Nvlink5Unreadable(start.group(1), start.group(2).equals("Fatal"))
          : XidDetail.NONE;
    }

    private static Nvlink5 nvlink5(int number, Matcher form, Optional<Layout> layout) {
      String unit = form.group(1);
      int link = number(form, 3);
      long intrInfo = hex(form, 4);
      long errorStatus = hex(form, 5);
      Nvlink5Table.Resolved resolved =
          Nvlink5Table.Resolved.of(
              layout, one -> Nvlink5Table.resolution(number, unit, one, intrInfo, errorStatus));
      return new Nvlink5(
          unit,
          form.group(2).equals("Fatal"),
          link < 0 ? OptionalInt.empty() : OptionalInt.of(link),
          intrInfo,
          errorStatus,
          resolved
              .layout()
              .map(known -> OptionalInt.of(known.subcode(intrInfo)))
              .orElse(OptionalInt.empty()),
          (int) (intrInfo >> REASON_SHIFT) & REASON_MASK,
          resolved.resolution(),
          resolved.otherwise());
    }
  }

  /** 154: {@code GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)}. */
  private static final class RecoveryText {

    private static final Pattern CHANGE =
        Pattern.compile(
            "GPU recovery action changed from 0x([0-9a-f]{1,4}) \\([^)]*+\\)"
                + " to 0x([0-9a-f]{1,4}) \\(([^)]*+)\\)");

    static XidDetail read(String message) {
      Matcher change = CHANGE.matcher(message);
      return change.lookingAt()
          ? new RecoveryChange((int) hex(change, 1), (int) hex(change, 2), change.group(3))
          : XidDetail.NONE;
    }
  }

  /**
   * Evaluates XID 74's registers by WORKFLOW_NVLINK_ERR of NVIDIA's Xid-Catalog.xlsx. Only
   * registers 1, 3, 4 and 5 count on Hopper; undocumented bits are ignored. A report or diagnosis
   * "if seen repeatedly" (27 and 29 of register 1, 16 to 19 of register 3) is {@code
   * HARDWARE_IF_REPEATED}; bit 13 of register 3, which must not occur in production, {@code
   * HARDWARE}; what may be ignored (0, 23, 30 of register 1) or is harmless (the ECC thresholds 20,
   * 23, 26, 29 of register 5), {@code SECONDARY}.
   */
  static final class HopperRegisters {

    /** Bits of one register and their meaning. */
    private record Bits(int register, long mask, RegisterJudgement judgement) {

      private boolean set(List<Long> registers) {
        return (registers.get(register - 1) & mask) != 0;
      }
    }

    /** Worst first. */
    private static final List<Bits> TABLE =
        List.of(
            bits(RegisterJudgement.HARDWARE, 1, 8, 9, 12, 16, 17, 24, 28),
            bits(RegisterJudgement.HARDWARE, 3, 13),
            bits(RegisterJudgement.RESET, 4, 18),
            bits(RegisterJudgement.HARDWARE_IF_REPEATED, 1, 4, 5, 27, 29),
            bits(RegisterJudgement.HARDWARE_IF_REPEATED, 3, 0, 1, 2, 6, 16, 17, 18, 19),
            bits(RegisterJudgement.HARDWARE_IF_REPEATED, 5, 18, 19, 21, 22, 24, 25, 27, 28),
            bits(RegisterJudgement.SIGNAL, 1, 21, 22),
            bits(RegisterJudgement.SECONDARY, 1, 0, 1, 20, 23, 30),
            bits(RegisterJudgement.SECONDARY, 4, 16, 17),
            bits(RegisterJudgement.SECONDARY, 5, 20, 23, 26, 29));

    private HopperRegisters() {}

    /** The worst meaning of any set bit of registers 1 to 7. */
    static RegisterJudgement evaluate(List<Long> registers) {
      return TABLE.stream()
          .filter(bits -> bits.set(registers))
          .findFirst()
          .map(Bits::judgement)
          .orElse(RegisterJudgement.UNKNOWN);
    }

    private static Bits bits(RegisterJudgement judgement, int register, int... bits) {
      long mask = 0;
      for (int bit : bits) {
        mask |= 1L << bit;
      }
      return new Bits(register, mask, judgement);
    }
  }
}
