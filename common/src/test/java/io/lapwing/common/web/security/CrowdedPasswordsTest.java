package io.lapwing.common.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.web.security.Passwords.Result;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A scraper whose password is not cached yet, among clients that guess without a pause. */
@Timeout(120)
class CrowdedPasswordsTest {
  private static final Map<String, String> USERS = Map.of("scraper", "right");

  private final Semaphore begun = new Semaphore(0);
  private final Semaphore release = new Semaphore(0);
  private final Passwords passwords =
      new Passwords(
          (password, hash) -> {
            begun.release();
            release.acquireUninterruptibly();
            return hash.equals(new String(password, StandardCharsets.UTF_8));
          },
          new byte[32]); // the same slots of the memory each time
  private int guesses;

  @BeforeEach
  void occupyTheThread() {
    guess("first");
    awaitBegin();
  }

  @AfterEach
  void close() {
    release.release(100_000);
    passwords.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 15})
  void guessersAtOtherAddressesDoNotKeepItWaiting(int addresses) {
    crowd(addresses);
    CompletableFuture<Result> scraper = scrape();

    int compared = 0;
    while (!scraper.isDone()) {
      compareOne();
      crowd(addresses);
      assertThat(++compared).as("comparisons before it").isLessThanOrEqualTo(addresses + 2);
    }
    assertThat(scraper.join()).isEqualTo(Result.RIGHT);
  }

  @Test
  void aGuesserAtItsOwnAddressCostsItOneScrape() {
    for (int i = 0; i < 500; i++) {
      guess("scraper");
    }
    assertThat(scrape().join()).isEqualTo(Result.BUSY);
    for (int i = 0; i < 500; i++) {
      guess("scraper");
    }
    compareOne();
    for (int i = 0; i < 500; i++) {
      guess("scraper");
    }

    CompletableFuture<Result> second = scrape();
    for (int i = 0; i <= 4 && !second.isDone(); i++) {
      compareOne();
      guess("scraper");
    }

    assertThat(second.getNow(Result.BUSY)).isEqualTo(Result.RIGHT);
  }

  /** More addresses than the queue has places. */
  @Test
  void guessersAtManyAddressesCostItOneScrape() {
    crowd(100);
    assertThat(scrape().join()).isEqualTo(Result.BUSY);
    for (int i = 0; i < 5; i++) {
      compareOne();
      crowd(100);
    }

    CompletableFuture<Result> second = scrape();
    crowd(100);
    for (int i = 0; i <= 16 && !second.isDone(); i++) {
      compareOne();
      crowd(100);
    }

    assertThat(second.getNow(Result.BUSY)).isEqualTo(Result.RIGHT);
  }

  /** Guesses that are repeated are as old as the scraper, but each is compared once. */
  @Test
  void guessersThatRepeatThemselvesAreServedInTheirOrder() {
    repeatGuesses(40);
    assertThat(scrape().join()).isEqualTo(Result.BUSY);

    int compared = 0;
    CompletableFuture<Result> scraper = scrape();
    while (!scraper.isDone() || scraper.join() == Result.BUSY) {
      repeatGuesses(80);
      compareOne();
      assertThat(++compared).isLessThanOrEqualTo(50);
      scraper = scraper.isDone() ? scrape() : scraper;
    }
    assertThat(scraper.join()).isEqualTo(Result.RIGHT);
  }

  /**
   * A list that is repeated: passwords that were compared are not compared again and have no age.
   */
  @ParameterizedTest
  @CsvSource({"1, 150", "1, 400", "32, 20"})
  void aFixedListOfGuessesIsComparedOnce(int addresses, int passwordsOfEach) {
    int list = addresses * passwordsOfEach;
    repeatList(addresses, list);
    assertThat(scrape().join()).isEqualTo(Result.BUSY);

    int compared = 0;
    CompletableFuture<Result> scraper = scrape();
    while (!scraper.isDone() || scraper.join() == Result.BUSY) {
      repeatList(addresses, list);
      guess("10.0.1.1"); // so that there is always something to compare
      compareOne();
      assertThat(++compared).as("comparisons before it").isLessThanOrEqualTo(2 * list + 20);
      scraper = scraper.isDone() ? scrape() : scraper;
    }
    assertThat(scraper.join()).isEqualTo(Result.RIGHT);
  }

  private void repeatList(int addresses, int list) {
    for (int i = 0; i < list; i++) {
      String address = addresses == 1 ? "scraper" : "10.0.0." + i % addresses;
      CompletableFuture<Result> unused = ask(address, "guess " + i);
    }
  }

  @Test
  void anAttemptThatWasRejectedIsComparedWithAnotherHash() {
    CompletableFuture<Result> before = ask("10.0.0.1", "second");
    compareOne();
    Map<String, String> reloaded = Map.of("scraper", "second");
    Credentials second = new Credentials("scraper", "second".getBytes(StandardCharsets.UTF_8));
    CompletableFuture<Result> after = passwords.check(second, reloaded, "10.0.0.1");
    release.release();
    assertThat(before.join()).isEqualTo(Result.WRONG);
    assertThat(ask("10.0.0.1", "second")).isCompletedWithValue(Result.WRONG);
    release.release(2);
    assertThat(after.join()).isEqualTo(Result.RIGHT);
  }

  private void repeatGuesses(int count) {
    for (int i = 0; i < count; i++) {
      CompletableFuture<Result> unused = ask("scraper", "guess " + i);
    }
  }

  private CompletableFuture<Result> scrape() {
    return ask("scraper", "right");
  }

  private void crowd(int addresses) {
    for (int i = 0; i < 5 * addresses; i++) {
      guess("10.0.0." + i % addresses);
    }
  }

  private void guess(String address) {
    CompletableFuture<Result> unused = ask(address, "never seen " + guesses++);
  }

  private CompletableFuture<Result> ask(String address, String password) {
    return passwords.check(
        new Credentials("scraper", password.getBytes(StandardCharsets.UTF_8)), USERS, address);
  }

  /** Lets the comparison that runs end, and waits until the next one has begun. */
  private void compareOne() {
    release.release();
    awaitBegin();
  }

  private void awaitBegin() {
    try {
      assertThat(begun.tryAcquire(60, TimeUnit.SECONDS)).as("a comparison began").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
