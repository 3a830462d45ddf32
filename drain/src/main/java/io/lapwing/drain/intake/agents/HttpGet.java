package io.lapwing.drain.intake.agents;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** One GET of HTTP or HTTPS, without redirects, bounded in time and size. */
@FunctionalInterface
public interface HttpGet {

  /**
   * The content of a response with status 200.
   *
   * @param authorization the header of that name
   * @throws IOException for another status, a longer response, or a passed deadline
   */
  byte[] get(URI uri, Optional<String> authorization) throws IOException;
}
