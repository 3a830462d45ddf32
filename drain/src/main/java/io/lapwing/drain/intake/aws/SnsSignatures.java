package io.lapwing.drain.intake.aws;

import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.intake.Words;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.messagemanager.sns.SnsMessageManager;
import software.amazon.awssdk.messagemanager.sns.model.SnsMessage;
import software.amazon.awssdk.regions.Region;

/** Checks the signatures of SNS with the AWS SDK, for the regions of the accepted topics. */
public final class SnsSignatures implements AutoCloseable {

  private final Map<String, SnsMessageManager> byRegion = new HashMap<>();

  /**
   * @param client fetches certificates; the caller closes it
   */
  public SnsSignatures(Collection<TopicArn> topics, SdkHttpClient client) {
    SdkHttpClient certificates = new CertificateClient(client);
    for (TopicArn topic : topics) {
      byRegion.computeIfAbsent(
          topic.region(),
          region ->
              SnsMessageManager.builder()
                  .region(Region.of(region))
                  .httpClient(certificates)
                  .build());
    }
  }

  /**
   * The message as it was signed.
   *
   * @throws Unusable if it was not signed so, or if that cannot be known now
   */
  SnsMessage verified(SnsEnvelope envelope, byte[] body) throws Unusable {
    SnsMessageManager region = byRegion.get(envelope.topic().region());
    Optional<URI> certificate = envelope.certificate();
    if (region == null || certificate.filter(CertificateClient::isCertificate).isEmpty()) {
      throw new Unusable(
          Result.NOT_AUTHENTIC, envelope.shown() + ": SigningCertURL: not a certificate of SNS");
    }
    try {
      return region.parseMessage(new String(body, StandardCharsets.UTF_8));
    } catch (SdkException e) {
      throw unusable(envelope, e);
    } catch (RuntimeException e) {
      // The SDK's parser and its checks of arguments have exceptions of other kinds.
      throw new Unusable(Result.NOT_AUTHENTIC, envelope.shown() + ": " + reason(e));
    }
  }

  private static Unusable unusable(SnsEnvelope envelope, SdkException e) {
    boolean unavailable = false;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      unavailable |= cause instanceof CertificateClient.Unavailable;
    }
    return unavailable
        ? new Unusable(
            Result.UNREACHABLE, envelope.shown() + ": the certificate of SNS cannot be fetched")
        : new Unusable(Result.NOT_AUTHENTIC, envelope.shown() + ": " + reason(e));
  }

  private static String reason(RuntimeException e) {
    return Words.plain(String.valueOf(e.getMessage()), 200);
  }

  @Override
  public void close() {
    byRegion.values().forEach(SnsMessageManager::close);
  }
}
