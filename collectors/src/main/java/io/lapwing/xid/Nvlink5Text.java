package io.lapwing.xid;

import io.lapwing.xid.XidDetail.Nvlink5;
import io.lapwing.xid.XidDetail.Nvlink5Resolution;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * 144 to 150: {@code UNIT Fatal|Nonfatal XC0|XC1 iK Link NN (intrInfo errorStatus debug ...)}, as
 * in {@code RLW_SRC_TRACK Nonfatal XC1 i0 Link 12 (0x040988e2 0x00000008 ...)}.
 */
final class Nvlink5Text {

  private static final int REASON_SHIFT = 20;
  private static final int REASON_MASK = 0x3F;

  private static final String HEX = "0x([0-9a-fA-F]{1,8})";
  private static final Pattern FORM =
      Pattern.compile(
          "([A-Z]\\S*+(?: \\S++)?)\\s++(Fatal|Nonfatal)\\s++XC\\d\\s++i\\d{1,4}\\s++"
              + ("Link\\s++(-1|\\d{1,3})\\s++\\(" + HEX + "\\s++" + HEX + "(?=[ )]|$)"));

  private Nvlink5Text() {}

  static XidDetail read(int number, String message, Optional<Nvlink5Layout> layout) {
    Matcher form = FORM.matcher(message);
    return form.lookingAt() ? nvlink5(number, form, layout) : XidDetail.NONE;
  }

  private static Nvlink5 nvlink5(int number, Matcher form, Optional<Nvlink5Layout> layout) {
    String unit = form.group(1);
    int link = Integer.parseInt(form.group(3));
    long intrInfo = Long.parseLong(form.group(4), 16);
    long errorStatus = Long.parseLong(form.group(5), 16);
    return new Nvlink5(
        unit,
        form.group(2).equals("Fatal"),
        link < 0 ? OptionalInt.empty() : OptionalInt.of(link),
        intrInfo,
        errorStatus,
        layout.map(known -> OptionalInt.of(known.subcode(intrInfo))).orElse(OptionalInt.empty()),
        (int) (intrInfo >> REASON_SHIFT) & REASON_MASK,
        layout
            .map(known -> Nvlink5Table.resolution(number, unit, known, intrInfo, errorStatus))
            .orElse(Nvlink5Resolution.UNKNOWN));
  }
}
