package io.lapwing.common.web;

import io.javalin.http.Context;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.util.thread.Scheduler;

/** The connection of a request. */
record Exchange(ConnectionMetaData connection) {

  static Exchange of(Context context) {
    return new Exchange(
        ServletContextRequest.getServletContextRequest(context.req()).getConnectionMetaData());
  }

  RemoteHost host() {
    return RemoteHost.of(connection.getRemoteSocketAddress());
  }

  /** Closes the connection: nothing else ends a response whose client does not read. */
  Runnable abort() {
    EndPoint endPoint = ConnectionLimiter.outermost(connection.getConnection().getEndPoint());
    return endPoint::close;
  }

  /** Aborts a response that is not complete in time, however steadily its client reads. */
  void limit(CompletableFuture<Void> sent, Duration deadline) {
    if (!sent.isDone()) {
      Scheduler.Task cut =
          connection
              .getConnector()
              .getScheduler()
              .schedule(abort(), deadline.toMillis(), TimeUnit.MILLISECONDS);
      CompletableFuture<Void> unused = sent.whenComplete((done, failure) -> cut.cancel());
    }
  }
}
