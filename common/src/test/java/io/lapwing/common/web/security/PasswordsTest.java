package io.lapwing.common.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.web.security.Passwords.Bcrypt;
import io.lapwing.common.web.security.Passwords.Result;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordsTest {
  private static final Map<String, String> USERS = Map.of("alice", "hash-of-a");

  private final AtomicInteger hashed = new AtomicInteger();
  private final List<String> comparedWith = new CopyOnWriteArrayList<>();

  /** A password matches if the hash ends with it. */
  private boolean compare(byte[] password, String hash) {
    hashed.incrementAndGet();
    comparedWith.add(hash);
    return hash.equals("hash-of-" + new String(password, StandardCharsets.UTF_8));
  }

  @Test
  void resultsAreCached() {
    try (Passwords passwords = new Passwords(this::compare)) {
      for (int i = 0; i < 3; i++) {
        assertThat(ask(passwords, "alice", "a", USERS)).isEqualTo(Result.RIGHT);
        assertThat(ask(passwords, "alice", "b", USERS)).isEqualTo(Result.WRONG);
        assertThat(ask(passwords, "nobody", "a", USERS)).isEqualTo(Result.WRONG);
      }
    }
    assertThat(hashed).hasValue(3);
  }

  @Test
  void anUnknownUserIsHashedToo() {
    try (Passwords passwords = new Passwords(this::compare)) {
      assertThat(ask(passwords, "nobody", "a", USERS)).isEqualTo(Result.WRONG);
    }
    assertThat(comparedWith).containsExactly("hash-of-a");
  }

  @Test
  void aNewUserIsCheckedAgain() {
    try (Passwords passwords = new Passwords(this::compare)) {
      assertThat(ask(passwords, "bob", "a", USERS)).isEqualTo(Result.WRONG);
      assertThat(ask(passwords, "bob", "a", Map.of("bob", "hash-of-a"))).isEqualTo(Result.RIGHT);
    }
  }

  @Test
  void aNewHashIsCheckedAgain() {
    try (Passwords passwords = new Passwords(this::compare)) {
      assertThat(ask(passwords, "alice", "a", USERS)).isEqualTo(Result.RIGHT);
      assertThat(ask(passwords, "alice", "a", Map.of("alice", "hash-of-b")))
          .isEqualTo(Result.WRONG);
      assertThat(ask(passwords, "alice", "b", Map.of("alice", "hash-of-b")))
          .isEqualTo(Result.RIGHT);
    }
  }

  /** CVE-2022-46146: a cache key concatenated from user, hash and password was ambiguous. */
  @Test
  void concatenatedInputsDoNotCollide() {
    try (Passwords passwords = new Passwords(this::compare)) {
      Map<String, String> users = Map.of("al", "hash-of-a", "alhash-of-a", "x", "alhash", "-of-a");
      assertThat(ask(passwords, "al", "a", users)).isEqualTo(Result.RIGHT);
      int before = hashed.get();
      assertThat(ask(passwords, "alhash-of-a", "a", users)).isEqualTo(Result.WRONG);
      assertThat(ask(passwords, "alhash", "a", users)).isEqualTo(Result.WRONG);
      assertThat(ask(passwords, "alhash-of-", "aa", users)).isEqualTo(Result.WRONG);
      assertThat(hashed).hasValue(before + 3);
    }
  }

  @Test
  void guessesDoNotEvictAcceptedPasswords() {
    try (Passwords passwords = new Passwords(this::compare, new byte[32])) {
      assertThat(ask(passwords, "alice", "a", USERS)).isEqualTo(Result.RIGHT);
      for (int i = 0; i < 300; i++) {
        ask(passwords, "alice", "guess " + i, USERS);
      }
      int before = hashed.get();
      assertThat(ask(passwords, "alice", "a", USERS)).isEqualTo(Result.RIGHT);
      assertThat(hashed).hasValue(before);
      assertThat(ask(passwords, "alice", "guess 0", USERS)).isEqualTo(Result.WRONG);
      assertThat(hashed).as("a guess is compared once").hasValue(before);
    }
  }

  @Test
  void oneThreadHashesWithABoundedQueue() throws Exception {
    Semaphore release = new Semaphore(0);
    AtomicInteger together = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    try (Passwords passwords =
        new Passwords(
            (password, hash) -> {
              most.accumulateAndGet(together.incrementAndGet(), Math::max);
              begun.countDown();
              release.acquireUninterruptibly();
              together.decrementAndGet();
              return false;
            })) {
      CompletableFuture<Result> first = passwords.check(credentials("alice", "first"), USERS, "me");
      begun.await();
      List<CompletableFuture<Result>> answers =
          IntStream.range(0, 100)
              .mapToObj(i -> passwords.check(credentials("alice", "guess " + i), USERS, i))
              .toList();

      assertThat(answers)
          .filteredOn(answer -> answer.isDone() && answer.join() == Result.BUSY)
          .hasSize(84);
      release.release(100);
      assertThat(answers.stream().map(CompletableFuture::join).filter(Result.WRONG::equals))
          .hasSize(16);
      assertThat(first.join()).isEqualTo(Result.WRONG);
      assertThat(most).hasValue(1);
    }
  }

  @Test
  void aFloodOfGuessesOfOneClientLeavesRoomForOthers() throws Exception {
    Semaphore release = new Semaphore(0);
    CountDownLatch begun = new CountDownLatch(1);
    try (Passwords passwords =
        new Passwords(
            (password, hash) -> {
              begun.countDown();
              release.acquireUninterruptibly();
              return hash.equals("hash-of-" + new String(password, StandardCharsets.UTF_8));
            })) {
      CompletableFuture<Result> first =
          passwords.check(credentials("alice", "x"), USERS, "attacker");
      begun.await();
      List<CompletableFuture<Result>> guesses =
          IntStream.range(0, 1000)
              .mapToObj(i -> passwords.check(credentials("alice", "x" + i), USERS, "attacker"))
              .toList();

      CompletableFuture<Result> scraper =
          passwords.check(credentials("alice", "a"), USERS, "scraper");

      assertThat(guesses.stream().filter(CompletableFuture::isDone)).hasSize(996);
      release.release(1001);
      assertThat(scraper.join()).isEqualTo(Result.RIGHT);
      assertThat(first.join()).isEqualTo(Result.WRONG);
      assertThat(guesses.get(3).join()).isEqualTo(Result.WRONG);
      // Whoever has waited may wait again.
      assertThat(passwords.check(credentials("alice", "y"), USERS, "attacker").join())
          .isEqualTo(Result.WRONG);
    }
  }

  @Test
  void anUnknownUserCostsAsMuchAsTheDearestKnownOne() {
    String cheap = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";
    String dear = cheap.replace("$04$", "$12$");
    try (Passwords passwords = new Passwords(this::compare)) {
      ask(passwords, "nobody", "a", Map.of("alice", cheap, "bob", dear, "carol", cheap));
    }
    assertThat(comparedWith).containsExactly(dear);
    assertThat(Passwords.differ(Map.of("alice", cheap, "bob", dear))).isTrue();
    assertThat(Passwords.differ(Map.of("alice", cheap, "carol", cheap))).isFalse();
  }

  @Test
  void concurrentIdenticalAttemptsAreHashedOnce() throws Exception {
    Semaphore release = new Semaphore(0);
    try (Passwords passwords =
        new Passwords(
            (password, hash) -> {
              hashed.incrementAndGet();
              release.acquireUninterruptibly();
              return true;
            })) {
      List<CompletableFuture<Result>> answers =
          IntStream.range(0, 40)
              .mapToObj(i -> passwords.check(credentials("alice", "a"), USERS, i))
              .toList();
      release.release();

      assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isEqualTo(Result.RIGHT));
      assertThat(hashed).hasValue(1);
    }
  }

  /** Hashes from {@code crypt(3)} of libxcrypt, another implementation. */
  @ParameterizedTest
  @CsvSource({
    "secret, 1, $2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW",
    "'', 1, $2b$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq",
    "x, 71, $2b$04$abcdefghijklmnopqrstuu.gc7UY/21CSNJGJg21jJzx9QiOpJ9bO",
    "x, 72, $2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i",
    "x, 80, $2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i",
  })
  void hashesOfOtherProgramsAreVerified(String text, int times, String hash) {
    String password = text.repeat(times);
    for (String version : List.of("$2a$", "$2b$", "$2y$")) {
      assertThat(
              Bcrypt.matches(
                  password.getBytes(StandardCharsets.UTF_8), version + hash.substring(4)))
          .isTrue();
      assertThat(
              Bcrypt.matches(
                  "Secret".getBytes(StandardCharsets.UTF_8), version + hash.substring(4)))
          .isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Basic", "Basic !", "Bearer YTpi", "Basic YWI=", "Basic Zm9v YmFy"})
  void malformedHeadersHaveNoCredentials(String header) {
    assertThat(Credentials.of(header)).isEmpty();
    assertThat(Credentials.of(null)).isEmpty();
  }

  @Test
  void aPasswordMayContainColonsAndAnyCharacters() {
    String pair =
        Base64.getEncoder().encodeToString("al:p:\u00e4:\u20ac".getBytes(StandardCharsets.UTF_8));

    Credentials given = Credentials.of("bAsIc " + pair).orElseThrow();

    assertThat(given.user()).isEqualTo("al");
    assertThat(new String(given.password(), StandardCharsets.UTF_8)).isEqualTo("p:\u00e4:\u20ac");
    assertThat(given.toString()).doesNotContain("p:");
  }

  private static Result ask(
      Passwords passwords, String user, String password, Map<String, String> users) {
    return passwords.check(credentials(user, password), users, "me").join();
  }

  private static Credentials credentials(String user, String password) {
    return new Credentials(user, password.getBytes(StandardCharsets.UTF_8));
  }
}
