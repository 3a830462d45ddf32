package io.lapwing.drain.intake.aws;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Fetches the certificates of SNS for the SDK, which checks their host. This one bounds their size
 * and reports network failures separately, since they do not make a message invalid.
 */
final class CertificateClient implements SdkHttpClient {

  private static final int MOST_BYTES = 64 * 1024;

  /** {@code /SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem}. */
  private static final Pattern PATH =
      Pattern.compile("/SimpleNotificationService-[0-9A-Za-z]{1,64}\\.pem");

  private final SdkHttpClient client;

  CertificateClient(SdkHttpClient client) {
    this.client = client;
  }

  /** That a certificate cannot be fetched now. */
  static final class Unavailable extends IOException {
    private static final long serialVersionUID = 1;

    Unavailable(String why) {
      super(why);
    }
  }

  /** Whether an address is one of a certificate, apart from its host. */
  static boolean isCertificate(URI uri) {
    return uri.getPath() != null
        && PATH.matcher(uri.getPath()).matches()
        && uri.getRawQuery() == null
        && uri.getRawUserInfo() == null
        && uri.getPort() == -1;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    ExecutableHttpRequest prepared = client.prepareRequest(request);
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        return fetch(prepared);
      }

      @Override
      public void abort() {
        prepared.abort();
      }
    };
  }

  private static HttpExecuteResponse fetch(ExecutableHttpRequest prepared) throws IOException {
    try {
      HttpExecuteResponse response = prepared.call();
      int status = response.httpResponse().statusCode();
      if (status >= 500 || status == 429) {
        throw new Unavailable("status " + status);
      }
      try (InputStream body =
          response.responseBody().orElseThrow(() -> new Unavailable("no content"))) {
        byte[] bytes = body.readNBytes(MOST_BYTES);
        return HttpExecuteResponse.builder()
            .response(response.httpResponse())
            .responseBody(AbortableInputStream.create(new ByteArrayInputStream(bytes)))
            .build();
      }
    } catch (IOException e) {
      throw e instanceof Unavailable ? e : new Unavailable(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
