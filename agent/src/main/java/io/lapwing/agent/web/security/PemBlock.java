package io.lapwing.agent.web.security;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content between {@code -----BEGIN ...-----} and {@code -----END ...-----}.
 *
 * @param type {@code CERTIFICATE}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PemBlock(String type, byte[] der) {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  /** All blocks; ignores text around them. */
  static List<PemBlock> all(String text) throws PemProblem {
    List<PemBlock> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      blocks.add(new PemBlock(block.group(1), decode(block.group(1), block.group(2))));
    }
    return blocks;
  }

  private static byte[] decode(String type, String body) throws PemProblem {
    if (body.contains("ENCRYPTED")) {
      throw encrypted();
    }
    try {
      return Base64.getMimeDecoder().decode(body);
    } catch (IllegalArgumentException e) {
      throw new PemProblem("its " + type + " is not base64", e);
    }
  }

  static PemProblem encrypted() {
    return new PemProblem("is encrypted, which is not supported");
  }
}
