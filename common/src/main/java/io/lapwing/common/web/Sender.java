package io.lapwing.common.web;

import io.lapwing.common.config.WebConfig;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/** The sender of a request, as far as the connection shows it. */
final class Sender {

  private Sender() {}

  static boolean isLocal(Request request) {
    return request.getConnectionMetaData().getLocalSocketAddress()
        instanceof UnixDomainSocketAddress;
  }

  /** The user at the other end of a Unix socket, by the kernel (SO_PEERCRED). */
  static Optional<String> peer(Request request) {
    EndPoint endPoint = ConnectionLimiter.outermost(endPoint(request));
    try {
      return endPoint.getTransport() instanceof SocketChannel channel
          ? Optional.of(channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName())
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
