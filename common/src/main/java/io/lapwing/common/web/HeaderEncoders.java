package io.lapwing.common.web;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;

/** Jetty's encoders of constant headers: one per version of HTTP, found once per process. */
public final class HeaderEncoders {

  private HeaderEncoders() {}

  /**
   * Keeps the encoder of HTTP/2 from being loaded; its tables take half a megabyte. For a process
   * that never serves HTTP/2, and before it makes a server. Jetty needs no service to find the
   * encoders of HTTP/1.
   */
  public static void withoutHttp2() {
    Thread current = Thread.currentThread();
    ClassLoader usual = current.getContextClassLoader();
    current.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      // Jetty looks for services of the context class loader when it initialises this class.
      new PreEncodedHttpField(HttpHeader.CONNECTION, "close");
    } finally {
      current.setContextClassLoader(usual);
    }
  }
}
