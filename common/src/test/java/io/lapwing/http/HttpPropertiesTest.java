package io.lapwing.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class HttpPropertiesTest {

  @Property(tries = 1000)
  void anyResponseIsReadOrFails(@ForAll("answers") String answer) {
    assertThat(read(answer)).isLessThanOrEqualTo(answer.length());
  }

  @Property(tries = 300)
  void aChunkedBodyIsDecoded(@ForAll("chunks") List<String> chunks) throws IOException {
    StringBuilder answer =
        new StringBuilder("HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n");
    chunks.forEach(
        one -> answer.append(Integer.toHexString(one.length())).append(";x=y\r\n" + one + "\r\n"));
    InputStream in = bytes(answer + "0\r\n\r\n");

    byte[] body = HttpClient.response(in, (head, read) -> read.readAllBytes());

    assertThat(new String(body, StandardCharsets.ISO_8859_1)).isEqualTo(String.join("", chunks));
  }

  private static int read(String answer) {
    InputStream in = bytes(answer);
    try {
      return HttpClient.response(in, (head, body) -> body.readAllBytes().length);
    } catch (IOException declared) {
      return 0;
    }
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Provide
  Arbitrary<String> answers() {
    return Arbitraries.of(
            "HTTP/1.1 200 OK\r\n",
            "HTTP/1.0 500\r\n",
            "Content-Length: ",
            "Transfer-Encoding: chunked\r\n",
            "Content-Encoding: identity\r\n",
            "\r\n",
            "\n",
            "5",
            "0",
            "ffffffff",
            ";",
            ":",
            "é")
        .list()
        .ofMaxSize(20)
        .map(parts -> "HTTP/1.1 200 OK\r\n" + String.join("", parts));
  }

  @Provide
  Arbitrary<List<String>> chunks() {
    return Arbitraries.strings().ascii().ofMinLength(1).ofMaxLength(300).list().ofMaxSize(8);
  }
}
