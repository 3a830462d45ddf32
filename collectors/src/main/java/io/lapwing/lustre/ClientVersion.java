package io.lapwing.lustre;

import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code version} file: {@code 2.15.3}, or {@code lustre: 2.10.8} on the first of its lines.
 */
final class ClientVersion {

  private static final Pattern FORM =
      Pattern.compile("(?:lustre: +)?([0-9]{1,4}\\.[0-9A-Za-z._+~-]{1,60})\\s*");

  private ClientVersion() {}

  static String parse(KernelText text) throws ParseFailure {
    Matcher form = FORM.matcher(text.lines().isEmpty() ? "" : text.lines().get(0));
    if (!form.matches()) {
      throw text.failure(0, "no version");
    }
    return form.group(1);
  }
}
