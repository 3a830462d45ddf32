package io.lapwing.common.config;

import io.lapwing.common.config.TlsConfig.ClientAuth;
import io.lapwing.common.config.TlsConfig.Curve;
import io.lapwing.common.config.TlsConfig.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

record TlsSection(WebSection section) {
  private static final String[] KEYS = {
    "cert",
    "key",
    "client_ca",
    "cert_file",
    "key_file",
    "client_auth_type",
    "client_ca_file",
    "cipher_suites",
    "curve_preferences",
    "min_version",
    "max_version",
    "prefer_server_cipher_suites",
    "client_allowed_sans"
  };

  /** TLS is enabled if any of these is set. */
  private static final List<String> ENABLING =
      List.of(
          "cert",
          "cert_file",
          "key",
          "key_file",
          "client_ca",
          "client_ca_file",
          "client_auth_type");

  /** The cipher suites that Go considers secure. Go and Java both use the IANA names. */
  private static final List<String> CIPHERS =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
          "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256");

  /** Every HTTP/2 client on TLS 1.2 supports one of these. */
  private static final List<String> HTTP2_CIPHERS =
      List.of("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");

  private static final Map<String, ClientAuth> CLIENT_AUTH =
      Map.of(
          "NoClientCert", ClientAuth.NONE,
          "RequestClientCert", ClientAuth.REQUEST,
          "RequireAnyClientCert", ClientAuth.REQUIRE_ANY,
          "RequireClientCert", ClientAuth.REQUIRE_ANY,
          "VerifyClientCertIfGiven", ClientAuth.VERIFY_IF_GIVEN,
          "RequireAndVerifyClientCert", ClientAuth.REQUIRE_AND_VERIFY);

  /** Empty if no key enables TLS, as exporter-toolkit allows, and after a problem. */
  static Optional<TlsConfig> read(WebSection section, boolean http2) {
    return new TlsSection(section).read(http2);
  }

  private Optional<TlsConfig> read(boolean http2) {
    section.allow(KEYS);
    Optional<TlsConfig.PemSource> certificate = section.pem("cert", "cert_file");
    Optional<TlsConfig.PemSource> key = section.pem("key", "key_file");
    Optional<TlsConfig.PemSource> clientCa = section.pem("client_ca", "client_ca_file");
    ClientAuth clientAuth = clientAuth();
    List<String> sans = section.list("client_allowed_sans");
    Version min = version("min_version", Version.TLS12);
    Version max = version("max_version", Version.TLS13);
    List<String> ciphers = ciphers();
    List<Curve> curves = curves();
    boolean serverPrefers = section.flag("prefer_server_cipher_suites", true);
    if (ENABLING.stream().noneMatch(name -> section.text(name).isPresent())) {
      return Optional.empty();
    }
    missing(certificate, "cert");
    missing(key, "key");
    checkClients(clientCa, clientAuth, sans);
    checkVersions(min, max);
    if (http2 && !ciphers.isEmpty() && min != Version.TLS13) {
      checkHttp2(ciphers);
    }
    return certificate.flatMap(
        chain ->
            key.map(
                secret ->
                    new TlsConfig(
                        chain,
                        secret,
                        clientCa,
                        clientAuth,
                        sans,
                        min,
                        max,
                        ciphers,
                        serverPrefers,
                        curves)));
  }

  private void missing(Optional<TlsConfig.PemSource> pem, String name) {
    if (pem.isEmpty()) {
      section.problem(
          section.keys().contains(name) ? name : name + "_file",
          "one of " + name + " and " + name + "_file is needed");
    }
  }

  private void checkClients(
      Optional<TlsConfig.PemSource> clientCa, ClientAuth clientAuth, List<String> sans) {
    if (clientCa.isPresent() && clientAuth == ClientAuth.NONE) {
      section.problem(
          section.keys().contains("client_ca_file") ? "client_ca_file" : "client_ca",
          "given without a client_auth_type that requests a certificate");
    }
    if (!sans.isEmpty() && !clientAuth.required()) {
      section.problem(
          "client_allowed_sans",
          "requires client_auth_type RequireAndVerifyClientCert or RequireAnyClientCert");
    }
  }

  private void checkVersions(Version min, Version max) {
    if (max.compareTo(Version.TLS12) < 0) {
      section.problem("max_version", "only TLS12 and TLS13 are supported");
    } else if (min.compareTo(max) > 0) {
      section.problem("min_version", min + " is newer than max_version, " + max);
    }
  }

  private void checkHttp2(List<String> ciphers) {
    if (ciphers.stream().noneMatch(HTTP2_CIPHERS::contains)) {
      section.problem(
          "cipher_suites",
          "HTTP/2 needs "
              + String.join(" or ", HTTP2_CIPHERS)
              + "; or disable it with http_server_config.http2");
    }
  }

  private ClientAuth clientAuth() {
    String text = section.text("client_auth_type").orElse("NoClientCert");
    ClientAuth clientAuth = CLIENT_AUTH.get(text);
    if (clientAuth == null) {
      section.problem(
          "client_auth_type", unknown(text, CLIENT_AUTH.keySet().stream().sorted().toList()));
      return ClientAuth.REQUIRE_AND_VERIFY;
    }
    return clientAuth;
  }

  private Version version(String key, Version fallback) {
    Optional<String> text = section.text(key);
    for (Version version : Version.values()) {
      if (text.isEmpty() || version.name().equals(text.get())) {
        return text.isEmpty() ? fallback : version;
      }
    }
    section.problem(
        key, unknown(text.get(), Arrays.stream(Version.values()).map(Version::name).toList()));
    return fallback;
  }

  private List<String> ciphers() {
    List<String> names = section.list("cipher_suites");
    for (String name : names) {
      if (!CIPHERS.contains(name)) {
        section.problem("cipher_suites", unknown(name, CIPHERS));
      }
    }
    return names;
  }

  private List<Curve> curves() {
    Map<String, Curve> known =
        Arrays.stream(Curve.values()).collect(Collectors.toMap(Curve::go, curve -> curve));
    List<Curve> curves = new ArrayList<>();
    for (String name : section.list("curve_preferences")) {
      Curve curve = known.get(name);
      if (curve == null) {
        section.problem(
            "curve_preferences", unknown(name, known.keySet().stream().sorted().toList()));
      } else {
        curves.add(curve);
      }
    }
    return curves;
  }

  private static String unknown(String text, List<String> known) {
    return "'" + text + "' is not one of " + String.join(", ", known);
  }
}
