package io.lapwing.drain.intake.aws;

import java.io.IOException;
import java.net.URI;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** By a GET request. */
public final class HttpSubscriptions implements Subscriptions {

  private final SdkHttpClient client;

  /**
   * @param client the caller closes it
   */
  public HttpSubscriptions(SdkHttpClient client) {
    this.client = client;
  }

  @Override
  public void confirm(URI subscribeUrl) throws IOException {
    SdkHttpRequest request =
        SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(subscribeUrl).build();
    HttpExecuteResponse response =
        client.prepareRequest(HttpExecuteRequest.builder().request(request).build()).call();
    response.responseBody().ifPresent(body -> body.abort());
    if (!response.httpResponse().isSuccessful()) {
      throw new IOException("status " + response.httpResponse().statusCode());
    }
  }
}
