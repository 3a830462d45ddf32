package io.lapwing.agent.dropin;

import io.lapwing.common.config.ListenAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The values that an option of dcgm-exporter takes, as Go and dcgm-exporter parse them.
 *
 * @param kind the word of the column {@code takes}: {@code switch}, {@code milliseconds}, {@code
 *     number}, {@code address}, {@code devices}, {@code configmap}, {@code value} for any text, or
 *     values separated by {@code |}
 */
record Takes(String kind) {

  private static final String SWITCH = "switch";
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");
  private static final Pattern WHOLE = Pattern.compile("[0-9]{1,12}");
  private static final Pattern DEVICES =
      Pattern.compile("f|[gi](?::[0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*)?");
  private static final Pattern CONFIGMAP = Pattern.compile("none|[^:]+:[^:]+");

  boolean isSwitch() {
    return kind.equals(SWITCH);
  }

  /** Whether a value switches it off. */
  boolean isOff(String value) {
    return isSwitch() && FALSE.contains(value);
  }

  /** Why a value is not valid: {@code '10s' is not a number of milliseconds}. */
  Optional<String> problem(String value) {
    if (value.isEmpty() || accepts(value)) {
      return Optional.empty();
    }
    return Optional.of("'" + value + "' is not " + expected());
  }

  private boolean accepts(String value) {
    return switch (kind) {
      case "value" -> true;
      case SWITCH -> TRUE.contains(value) || FALSE.contains(value);
      case "milliseconds" -> WHOLE.matcher(value).matches() && Long.parseLong(value) > 0;
      case "number" -> WHOLE.matcher(value).matches();
      case "address" ->
          ListenAddress.parse(value).filter(one -> one.socket().isEmpty()).isPresent();
      case "devices" -> DEVICES.matcher(value).matches();
      case "configmap" -> CONFIGMAP.matcher(value).matches();
      default -> Arrays.asList(kind.split("\\|", -1)).contains(value);
    };
  }

  private String expected() {
    return switch (kind) {
      case SWITCH -> "true or false";
      case "milliseconds" -> "a number of milliseconds";
      case "number" -> "a whole number";
      case "address" -> "an address with a port, such as :9400 or 10.0.0.7:9400";
      case "devices" -> "f, or g or i with or without indices, such as g:0,2-3";
      case "configmap" -> "NAMESPACE:NAME";
      default -> "one of " + kind.replace("|", ", ");
    };
  }
}
