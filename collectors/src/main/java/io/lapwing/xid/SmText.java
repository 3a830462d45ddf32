package io.lapwing.xid;

import io.lapwing.xid.XidDetail.SmPlace;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** 13: {@code Graphics SM Warp Exception on (GPC 1, TPC 3, SM 0): Out Of Range Address}. */
final class SmText {

  private static final Pattern PLACE =
      Pattern.compile("\\(GPC (\\d{1,4}), TPC (\\d{1,4}), SM (\\d{1,4})\\)");

  private SmText() {}

  static XidDetail read(String message) {
    Matcher place = PLACE.matcher(message);
    return place.find()
        ? new SmPlace(number(place, 1), number(place, 2), number(place, 3))
        : XidDetail.NONE;
  }

  private static int number(Matcher place, int group) {
    return Integer.parseInt(place.group(group));
  }
}
