package io.lapwing.agent.config;

import java.util.Optional;

/** Where NCCL's RAS service listens. */
public record RasAddress(String host, int port) {

  /** NCCL's own default. */
  static final RasAddress USUAL = new RasAddress("localhost", 28028);

  private static final int LAST_PORT = 65_535;

  static Optional<RasAddress> parse(String text) throws BadValue {
    return switch (text) {
      case "off", "false" -> Optional.empty();
      case "auto", "true" -> Optional.of(USUAL);
      default -> Optional.of(address(text));
    };
  }

  private static RasAddress address(String text) throws BadValue {
    int colon = text.lastIndexOf(':');
    if (colon > 0) {
      try {
        int port = Integer.parseInt(text.substring(colon + 1));
        if (port > 0 && port <= LAST_PORT) {
          return new RasAddress(text.substring(0, colon), port);
        }
      } catch (NumberFormatException noNumber) {
        // Said below, as for any other text that is none.
      }
    }
    throw new BadValue("is no address such as localhost:28028");
  }
}
