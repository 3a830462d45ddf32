package io.lapwing.common.web;

import io.lapwing.common.config.WebConfig;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/** The sender of a request, as far as the connection shows it. */
final class Sender {

  /** Without a user database, as in a small image, root has only its number. */
  private static final Set<String> ROOT = Set.of("root", "0");

  private Sender() {}

  static boolean isLocal(Request request) {
    return request.getConnectionMetaData().getLocalSocketAddress()
        instanceof UnixDomainSocketAddress;
  }

  /** The name of the user at the other end of a Unix socket. */
  static Optional<String> peer(Request request) {
    return user(request).map(UserPrincipal::getName);
  }

  /** Whether root, or one of these users, is at the other end of a Unix socket. */
  static boolean isRootOr(Set<UserPrincipal> others, Request request) {
    return user(request)
        .filter(user -> ROOT.contains(user.getName()) || others.contains(user))
        .isPresent();
  }

  /** By the kernel (SO_PEERCRED). */
  private static Optional<UserPrincipal> user(Request request) {
    EndPoint endPoint = ConnectionLimiter.outermost(endPoint(request));
    try {
      return endPoint.getTransport() instanceof SocketChannel channel
          ? Optional.of(channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user())
          : Optional.empty();
    } catch (IOException | UnsupportedOperationException unknown) {
      return Optional.empty();
    }
  }

  /** The subject of a client certificate that was verified. */
  static Optional<String> certified(Request request, WebConfig config) {
    boolean verified = config.tls().map(tls -> tls.clientAuth().verified()).orElse(false);
    EndPoint.SslSessionData session = endPoint(request).getSslSessionData();
    X509Certificate[] chain = session == null ? null : session.peerCertificates();
    return verified && chain != null && chain.length > 0
        ? Optional.of(chain[0].getSubjectX500Principal().getName())
        : Optional.empty();
  }

  private static EndPoint endPoint(Request request) {
    return request.getConnectionMetaData().getConnection().getEndPoint();
  }
}
