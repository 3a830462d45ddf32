package io.lapwing.agent.config;

import io.lapwing.common.config.ValueType;
import io.lapwing.common.config.ValueType.Invalid;
import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.gpu.NameGeneration;
import io.lapwing.nccl.RasEndpoint;
import io.lapwing.node.Platform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The types of options that only a node has. */
final class NodeValueTypes {
  static final ValueType<Optional<Platform>> PLATFORM =
      ValueType.of("auto|PLATFORM", NodeValueTypes::parsePlatform);
  static final ValueType<InferenceTargets> INFERENCE_TARGETS =
      ValueType.of("auto|off|URL,...", InferenceTargets::parse);
  static final ValueType<Optional<RasEndpoint>> RAS_ENDPOINT =
      ValueType.of("auto|off|HOST:PORT", NodeValueTypes::parseRasEndpoint);

  static final ValueType<List<NameGeneration>> NAME_GENERATIONS =
      new ValueType<>(String.join("|", NameGeneration.words()), true, NodeValueTypes::parseNames);

  static final ValueType<DcgmMode> DCGM_MODE =
      ValueType.of(
          "off|auto|HOST:PORT|unix:PATH|vsock://CID:PORT|embedded", NodeValueTypes::parseDcgmMode);

  private static final int MAX_PORT = 65_535;

  /** {@code VMADDR_CID_ANY}, which is for listening only. */
  private static final long ANY_CID = 0xffff_ffffL;

  private static final Pattern CID = Pattern.compile("[0-9]{1,10}");

  private NodeValueTypes() {}

  private static Optional<Platform> parsePlatform(String text) throws Invalid {
    if (text.equals("auto")) {
      return Optional.empty();
    }
    Optional<Platform> platform = Platform.of(text);
    if (platform.isEmpty()) {
      throw new Invalid(
          "is not one of auto, "
              + Arrays.stream(Platform.values())
                  .map(Platform::id)
                  .collect(Collectors.joining(", ")));
    }
    return platform;
  }

  private static List<NameGeneration> parseNames(String text) throws Invalid {
    List<NameGeneration> names = new ArrayList<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      Optional<NameGeneration> name = NameGeneration.named(part.strip());
      if (name.isEmpty()) {
        throw new Invalid(
            "is not one of " + String.join(", ", NameGeneration.words()) + ", or two of them");
      }
      if (names.contains(name.get())) {
        throw new Invalid("names " + name.get() + " twice");
      }
      names.add(name.get());
    }
    if (names.size() > 2) {
      throw new Invalid("has three; a migration has two");
    }
    return List.copyOf(names);
  }

  private static DcgmMode parseDcgmMode(String text) throws Invalid {
    return switch (text) {
      case "off", "false" -> DcgmMode.OFF;
      case "auto", "true" -> new DcgmMode.Auto();
      case "embedded" -> new DcgmMode.Embedded();
      default -> new DcgmMode.At(parseDcgmAddress(text));
    };
  }

  private static DcgmAddress parseDcgmAddress(String text) throws Invalid {
    DcgmAddress address = DcgmAddress.of(text);
    switch (address.kind()) {
      case UNIX -> {
        if (!address.text().startsWith("/")) {
          throw new Invalid("needs an absolute path behind unix:");
        }
      }
      case VSOCK -> checkVsock(address.text());
      case TCP -> {
        if (text.contains("/") || text.startsWith("vsock:")) {
          throw new Invalid("is not an address such as localhost:5555 or vsock://2:5555");
        }
        port(text, "localhost:5555, and not off, auto or embedded");
      }
    }
    return address;
  }

  private static void checkVsock(String text) throws Invalid {
    port(text, "vsock://2:5555");
    String cid = text.substring(0, text.lastIndexOf(':'));
    if (!CID.matcher(cid).matches() || Long.parseLong(cid) >= ANY_CID) {
      throw new Invalid("needs the number of a CID behind vsock://, such as 2 for the host");
    }
  }

  private static int port(String text, String example) throws Invalid {
    int colon = text.lastIndexOf(':');
    OptionalInt port = ValueType.number(text.substring(colon + 1));
    if (colon <= 0 || port.isEmpty() || port.getAsInt() <= 0 || port.getAsInt() > MAX_PORT) {
      throw new Invalid("is not an address such as " + example);
    }
    return port.getAsInt();
  }

  private static Optional<RasEndpoint> parseRasEndpoint(String text) throws Invalid {
    if (text.equals("off") || text.equals("false")) {
      return Optional.empty();
    }
    if (text.equals("auto") || text.equals("true")) {
      return Optional.of(RasEndpoint.DEFAULT);
    }
    int port = port(text, "localhost:28028");
    return Optional.of(new RasEndpoint(text.substring(0, text.lastIndexOf(':')), port));
  }
}
