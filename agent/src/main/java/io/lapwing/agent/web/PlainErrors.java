package io.lapwing.agent.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** What the web server refuses by itself, such as a header too long: a status and no page. */
final class PlainErrors implements Request.Handler {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    byte[] text = ("refused: " + response.getStatus() + "\n").getBytes(StandardCharsets.UTF_8);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
    response.write(true, ByteBuffer.wrap(text), callback);
    return true;
  }
}
