package io.lapwing.common.web;

import io.lapwing.common.config.ListenAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where a web server listens and what it allows.
 *
 * @param systemdSocket whether to listen on the sockets of the service manager only
 * @param unixSocket to listen on as well, if its directory exists
 * @param closedSocket whether only the process' user, its group and root may open the Unix socket;
 *     else all users may, unless the configuration file has users
 * @param configFile of TLS, users, headers and the rate limit
 * @param maxRequests parallel scrapes; 0 for any number
 * @param hosts names under which the server may be asked for pages
 */
public record WebSettings(
    List<ListenAddress> listenAddresses,
    boolean systemdSocket,
    Optional<Path> unixSocket,
    boolean closedSocket,
    Optional<Path> configFile,
    int maxRequests,
    KnownHosts hosts) {

  public WebSettings {
    listenAddresses = List.copyOf(listenAddresses);
  }
}
