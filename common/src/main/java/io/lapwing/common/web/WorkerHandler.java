package io.lapwing.common.web;

import java.util.function.Predicate;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;

/**
 * Handles some requests on the thread that received them, and all others on a worker. Without a
 * change of threads a scrape takes four system calls instead of eleven and wakes up two threads
 * instead of four.
 */
final class WorkerHandler extends Handler.Wrapper {
  private final Predicate<Request> quick;

  /** {@code quick}: requests that never wait; only over TCP, without TLS. */
  WorkerHandler(Predicate<Request> quick, Handler handler) {
    super(handler);
    this.quick = quick;
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    // The name of a Unix socket's peer may come from a directory service.
    if (quick.test(request) && !Sender.isLocal(request) && isAlone(request)) {
      return super.handle(request, response, callback);
    }
    getServer().getThreadPool().execute(() -> onWorker(request, response, callback));
    return true;
  }

  /** Not pipelined: one connection after the other has a turn on the receiving thread. */
  private static boolean isAlone(Request request) {
    return request.getConnectionMetaData().getConnection() instanceof HttpConnection http
        && http.isRequestBufferEmpty();
  }

  private void onWorker(Request request, Response response, Callback callback) {
    try {
      if (!super.handle(request, response, callback)) {
        Response.writeError(request, response, callback, 404);
      }
    } catch (Throwable e) {
      Response.writeError(request, response, callback, e);
    }
  }
}
