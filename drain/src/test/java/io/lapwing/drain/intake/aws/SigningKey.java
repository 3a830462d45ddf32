package io.lapwing.drain.intake.aws;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/** A key as SNS has one, with a certificate of its own, made by the JDK's keytool. */
final class SigningKey {

  private final PrivateKey key;
  private final String certificate;

  private SigningKey(PrivateKey key, String certificate) {
    this.key = key;
    this.certificate = certificate;
  }

  static SigningKey of(Path folder, String host, String... more)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve(host + more.length + ".p12");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                "-genkeypair",
                "-alias",
                "sns",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host,
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit"));
    command.addAll(List.of(more));
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException(Files.readString(folder.resolve("keytool.log")));
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, "changeit".toCharArray());
    }
    byte[] der = keys.getCertificate("sns").getEncoded();
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return new SigningKey(
        (PrivateKey) keys.getKey("sns", "changeit".toCharArray()),
        "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n");
  }

  String sign(String version, String canonical) {
    try {
      Signature signature =
          Signature.getInstance(version.equals("1") ? "SHA1withRSA" : "SHA256withRSA");
      signature.initSign(key);
      signature.update(canonical.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Serves the certificate, whatever the address. */
  SdkHttpClient client(List<String> fetched, int[] status) {
    return new SdkHttpClient() {
      @Override
      public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        fetched.add(request.httpRequest().getUri().toString());
        return new ExecutableHttpRequest() {
          @Override
          public HttpExecuteResponse call() throws IOException {
            if (status[0] == 0) {
              throw new IOException("no route to host");
            }
            return HttpExecuteResponse.builder()
                .response(SdkHttpResponse.builder().statusCode(status[0]).build())
                .responseBody(
                    AbortableInputStream.create(
                        new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII))))
                .build();
          }

          @Override
          public void abort() {}
        };
      }

      @Override
      public void close() {}
    };
  }
}
