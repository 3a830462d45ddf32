package io.lapwing.drain.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** The credentials of a pod on EKS by IAM roles for service accounts, from a stand-in for STS. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ServiceAccountRoleTest {

  private static final String ANSWER =
      """
      <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
        <AssumeRoleWithWebIdentityResult>
          <Credentials>
            <AccessKeyId>ASIAEXAMPLE</AccessKeyId>
            <SecretAccessKey>secret</SecretAccessKey>
            <SessionToken>session</SessionToken>
            <Expiration>2099-01-01T00:00:00Z</Expiration>
          </Credentials>
        </AssumeRoleWithWebIdentityResult>
      </AssumeRoleWithWebIdentityResponse>
      """;

  private Map<String, String> properties = Map.of();

  @AfterEach
  void clear() {
    properties.keySet().forEach(System::clearProperty);
  }

  @Test
  void theRoleOfTheServiceAccountIsAssumed(@TempDir Path dir) throws Exception {
    LinkedBlockingQueue<String> asked = new LinkedBlockingQueue<>();
    HttpServer sts =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    sts.createContext(
        "/",
        exchange -> {
          asked.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    sts.start();
    properties =
        Map.of(
            "aws.webIdentityTokenFile", Files.writeString(dir.resolve("token"), "jwt").toString(),
            "aws.roleArn", "arn:aws:iam::111122223333:role/lapwing-drain",
            "aws.roleSessionName", "lapwing-drain",
            "aws.region", "eu-west-1",
            "aws.endpointUrlSts", "http://127.0.0.1:" + sts.getAddress().getPort());
    properties.forEach(System::setProperty);
    try (DefaultCredentialsProvider provider = DefaultCredentialsProvider.builder().build()) {
      AwsCredentials found = provider.resolveCredentials();
      assertThat(found.accessKeyId()).isEqualTo("ASIAEXAMPLE");
      assertThat(((AwsSessionCredentials) found).sessionToken()).isEqualTo("session");
    } finally {
      sts.stop(0);
    }
    assertThat(asked.poll())
        .contains("Action=AssumeRoleWithWebIdentity")
        .contains("WebIdentityToken=jwt")
        .contains("role%2Flapwing-drain");
  }
}
