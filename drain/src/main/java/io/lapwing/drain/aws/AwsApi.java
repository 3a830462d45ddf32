package io.lapwing.drain.aws;

import io.lapwing.drain.http.FirstBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;

/**
 * One endpoint of AWS: POST requests that the SDK's signer signs with the SDK's credentials. The
 * SDK's own EC2 client has 26 MB of classes, for three calls.
 */
public final class AwsApi {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MOST_BYTES = 1 << 20;

  private final String service;
  private final String region;
  private final URI endpoint;
  private final AwsCredentialsProvider credentials;
  private final Clock clock;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

  /**
   * @param service as in signatures: {@code ec2}, {@code sagemaker}
   */
  public AwsApi(
      String service,
      String region,
      URI endpoint,
      AwsCredentialsProvider credentials,
      Clock clock) {
    this.service = service;
    this.region = region;
    this.endpoint = endpoint;
    this.credentials = credentials;
    this.clock = clock;
  }

  /** {@code https://ec2.us-east-1.amazonaws.com}, and its like in China. */
  public static URI endpoint(String service, String region) {
    String domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
    String host = service.equals("sagemaker") ? "api.sagemaker" : service;
    return URI.create("https://" + host + "." + region + "." + domain);
  }

  /** The response, of any status. */
  record Reply(int status, String body) {

    boolean isGood() {
      return status / 100 == 2;
    }

    /** Too many requests: this one was not carried out. */
    boolean isThrottled() {
      return status == 429;
    }

    /** Throttled, or a fault of the service: the same request may succeed later. */
    boolean isTransient() {
      return status == 429 || status >= 500;
    }
  }

  /**
   * Sends one request.
   *
   * @throws IOException if there is no answer, or no credentials; it may have been carried out
   */
  Reply post(Map<String, String> headers, String body) throws IOException, InterruptedException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    ContentStreamProvider content = () -> new ByteArrayInputStream(bytes);
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder().uri(endpoint).encodedPath("/").method(SdkHttpMethod.POST);
    headers.forEach(request::putHeader);
    try {
      return send(sign(request.build(), content), bytes);
    } catch (SdkException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private Reply send(SdkHttpRequest signed, byte[] body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint.resolve("/"))
            .timeout(TIMEOUT)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    signed.forEachHeader(
        (name, values) -> {
          if (!name.equalsIgnoreCase("Host")) {
            values.forEach(value -> request.header(name, value));
          }
        });
    CompletableFuture<HttpResponse<byte[]>> sent =
        http.sendAsync(request.build(), FirstBytes.atMost(MOST_BYTES));
    try {
      // The timeout of the request ends with the headers.
      HttpResponse<byte[]> response = sent.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      return new Reply(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw new IOException("no complete answer within " + TIMEOUT.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
    }
  }

  private SdkHttpRequest sign(SdkHttpRequest request, ContentStreamProvider content) {
    AwsCredentials who = credentials.resolveCredentials();
    return signer
        .sign(
            sign ->
                sign.identity(who)
                    .request(request)
                    .payload(content)
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, service)
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(HttpSigner.SIGNING_CLOCK, clock))
        .request();
  }
}
