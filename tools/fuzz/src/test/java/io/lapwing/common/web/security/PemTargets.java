package io.lapwing.common.web.security;

import io.lapwing.common.web.security.ClientTrust.AllowedNames;
import io.lapwing.common.web.security.PemBlock.PemProblem;
import io.lapwing.common.web.security.PrivateKeys.Der;
import io.lapwing.fuzz.Target;
import java.util.List;

/** Certificates and keys, and how long it takes to find that a file is neither. */
public final class PemTargets {

  private static final String EC =
      """
      -----BEGIN EC PARAMETERS-----
      BggqhkjOPQMBBw==
      -----END EC PARAMETERS-----
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8goAoGCCqGSM49
      AwEHoUQDQgAEUVw/FACprI7MJRiKKMChUuCBvDLg53kU0mcGsoXcHfQ0ACKxRCgN
      gi5vMBwsJVBVNkX6hoZbJyq1Nb3Y8m2P6Q==
      -----END EC PRIVATE KEY-----
      """;

  private static final String EMPTY =
      """
      -----BEGIN CERTIFICATE-----
      MIIBAAA=
      -----END CERTIFICATE-----
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g
      -----END PRIVATE KEY-----
      -----BEGIN RSA PRIVATE KEY-----
      Proc-Type: 4,ENCRYPTED
      -----END RSA PRIVATE KEY-----
      """;

  private PemTargets() {}

  /** One reader of such a text. */
  private interface Reader {
    Object read(String pem) throws PemProblem;
  }

  public static List<Target> all() {
    return List.of(
        Target.ofText("pem", PemTargets::pem)
            .seeds(EC, EMPTY)
            .recordings("tools/fuzz/src/test/resources/pem/*.crt"),
        Target.ofBytes("der", PemTargets::der).seeds("0\u0003\u0002\u0001\u0000"));
  }

  private static void pem(String text) {
    read(text, PrivateKeys::read);
    read(text, PemBlock::certificates);
    new AllowedNames(List.of(text));
  }

  private static void read(String text, Reader reader) {
    try {
      reader.read(text);
    } catch (PemProblem declared) {
      Target.demand(!declared.text().isEmpty(), "no words");
    }
  }

  private static void der(byte[] input) {
    try {
      Der der = new Der(input);
      while (der.hasMore()) {
        der.nextTag();
        new Der(der.next()).hasMore();
      }
    } catch (PemProblem declared) {
      Target.demand(!declared.text().isEmpty(), "no words");
    }
  }
}
