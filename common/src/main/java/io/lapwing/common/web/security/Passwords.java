package io.lapwing.common.web.security;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.BCrypt.Version;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import io.lapwing.common.log.Log;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Verifies passwords. A hash takes about 100 ms by design, so one thread with a bounded queue
 * hashes, and results are cached: rejected ones separately, so that guesses cannot evict a
 * scraper's password, and as fingerprints only, so that a list of guesses is hashed only once. An
 * unknown user takes as long as the known one with the highest bcrypt cost. The queue is fair
 * between clients. Cache keys are separate fields, as concatenations collide (CVE-2022-46146).
 */
public final class Passwords implements AutoCloseable {
  private static final Log LOG = Log.of(Passwords.class);
  private static final int MAX_QUEUED = 16;
  private static final int MAX_QUEUED_BY_ONE = MAX_QUEUED / 4;
  private static final int MAX_CACHED = 100;
  private static final int IDLE_SECONDS = 30;

  public enum Result {
    RIGHT,
    WRONG,
    /** The queue is full; the same attempt goes before newer ones when it is repeated. */
    BUSY
  }

  /**
   * A cache key: {@code known} may change with a reload; {@code password} is an HMAC under a
   * per-process key.
   */
  private record Attempt(boolean known, String user, String hash, String password) {

    /** 64 bits of the HMAC, which no client can choose, for this user, hash and client. */
    long fingerprint(Object client) {
      return Long.parseUnsignedLong(password, 0, 16, 16)
          ^ (Objects.hash(known, user, hash, client) * 0x9E3779B97F4A7C15L);
    }
  }

  /** An attempt that waits for its comparison. */
  private record Check(Attempt attempt, Credentials given, CompletableFuture<Result> answer) {}

  private final BiPredicate<byte[], String> bcrypt;
  private final ExecutorService hashing;
  private final Map<Attempt, CompletableFuture<Result>> pending = new ConcurrentHashMap<>();

  private final FairQueue<Check> waiting = new FairQueue<>(MAX_QUEUED, MAX_QUEUED_BY_ONE);
  private final Map<Attempt, Boolean> accepted = new RecentAttempts();
  private final RejectedAttempts rejected = new RejectedAttempts();
  private final SecretKeySpec secret;

  public Passwords() {
    this(Bcrypt::matches);
  }

  /** {@code bcrypt}: whether a password matches a hash. */
  Passwords(BiPredicate<byte[], String> bcrypt) {
    this(bcrypt, random());
  }

  private static byte[] random() {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    return random;
  }

  /** {@code secret}: the key of the HMACs of passwords. */
  Passwords(BiPredicate<byte[], String> bcrypt, byte[] secret) {
    this.bcrypt = bcrypt;
    this.secret = new SecretKeySpec(secret, "HmacSHA256");
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "http-passwords");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    this.hashing = executor;
  }

  /** Whether these credentials were recently accepted. Hashes nothing. */
  public boolean isAccepted(Credentials given, Map<String, String> users) {
    return isCached(accepted, attempt(given, users));
  }

  /**
   * Checks the credentials against at least one user; already completed if cached.
   *
   * @param client identifies the client's share of the queue
   */
  public CompletableFuture<Result> check(
      Credentials given, Map<String, String> users, Object client) {
    Attempt attempt = attempt(given, users);
    if (isCached(accepted, attempt)) {
      return CompletableFuture.completedFuture(Result.RIGHT);
    }
    if (rejected.contains(fingerprint(attempt))) {
      return CompletableFuture.completedFuture(Result.WRONG);
    }
    // Concurrent identical attempts share one computation.
    CompletableFuture<Result> answer = new CompletableFuture<>();
    CompletableFuture<Result> other = pending.putIfAbsent(attempt, answer);
    if (other != null) {
      return other;
    }
    Check check = new Check(attempt, given, answer);
    Optional<Check> without = waiting.offer(check, client, attempt.fingerprint(client));
    if (without.isPresent()) {
      turnAway(without.get());
      return answer;
    }
    try {
      hashing.execute(() -> waiting.poll().ifPresent(this::answer));
    } catch (RejectedExecutionException closed) {
      turnAway(check);
    }
    return answer;
  }

  private Attempt attempt(Credentials given, Map<String, String> users) {
    String hash = users.get(given.user());
    return new Attempt(
        hash != null, given.user(), hash != null ? hash : dearest(users), hmac(given.password()));
  }

  private void turnAway(Check check) {
    pending.remove(check.attempt());
    check.answer().complete(Result.BUSY);
  }

  /** The hash for unknown users, so that the time does not reveal whether a user exists. */
  private static String dearest(Map<String, String> users) {
    return users.values().stream().max(Comparator.comparingInt(Bcrypt::cost)).orElseThrow();
  }

  private void answer(Check check) {
    Attempt attempt = check.attempt();
    Result result = Result.WRONG;
    try {
      boolean same = bcrypt.test(check.given().password(), attempt.hash());
      result = same && attempt.known() ? Result.RIGHT : Result.WRONG;
      if (result == Result.RIGHT) {
        accept(attempt);
      } else {
        rejected.add(fingerprint(attempt));
      }
    } catch (RuntimeException e) {
      LOG.error("password check failed", e);
    } finally {
      pending.remove(attempt);
      check.answer().complete(result);
    }
  }

  private String hmac(byte[] password) {
    return HexFormat.of().formatHex(mac(password));
  }

  /** 64 bits that no client can choose. The hash is part of it: web.yml may be reloaded. */
  private long fingerprint(Attempt attempt) {
    String user = attempt.user();
    String all =
        "%s %b %d %s%s"
            .formatted(attempt.password(), attempt.known(), user.length(), user, attempt.hash());
    return ByteBuffer.wrap(mac(all.getBytes(StandardCharsets.UTF_8))).getLong();
  }

  private byte[] mac(byte[] text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(secret);
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HmacSHA256 is missing", e);
    }
  }

  private static boolean isCached(Map<Attempt, Boolean> cache, Attempt attempt) {
    synchronized (cache) {
      return cache.get(attempt) != null;
    }
  }

  private void accept(Attempt attempt) {
    synchronized (accepted) {
      accepted.put(attempt, true);
    }
  }

  private static final class RecentAttempts extends LinkedHashMap<Attempt, Boolean> {

    RecentAttempts() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Attempt, Boolean> eldest) {
      return size() > MAX_CACHED;
    }
  }

  /**
   * Attempts that were compared and rejected, 8 bytes each, 256 KiB from the first one on. A new
   * one replaces the one in its slot. One of another attempt is found with a probability of 2^-64.
   */
  private static final class RejectedAttempts {
    private static final int SLOT_BITS = 15;

    private long @Nullable [] slots;

    synchronized boolean contains(long fingerprint) {
      return slots != null && slots[slot(fingerprint)] == fingerprint;
    }

    synchronized void add(long fingerprint) {
      if (slots == null) {
        slots = new long[1 << SLOT_BITS];
      }
      slots[slot(fingerprint)] = fingerprint;
    }

    private static int slot(long fingerprint) {
      return (int) (fingerprint >>> (Long.SIZE - SLOT_BITS));
    }
  }

  @Override
  public void close() {
    hashing.shutdownNow();
  }

  /** The users whose bcrypt cost is above the given one, with their cost. */
  public static Map<String, Integer> slow(Map<String, String> users, int cost) {
    Map<String, Integer> slow = new LinkedHashMap<>();
    users.forEach(
        (user, hash) -> {
          if (Bcrypt.cost(hash) > cost) {
            slow.put(user, Bcrypt.cost(hash));
          }
        });
    return slow;
  }

  /** Whether the time may reveal which users exist: their costs differ. */
  public static boolean differ(Map<String, String> users) {
    return users.values().stream().map(Bcrypt::cost).distinct().count() > 1;
  }

  /** Verifies bcrypt hashes. {@code $2a$}, {@code $2b$} and {@code $2y$} are treated alike. */
  static final class Bcrypt {
    private static final Pattern HASH = Pattern.compile("\\$2[aby]\\$[0-9]{2}\\$.*");

    /** Every bcrypt ignores bytes beyond this. */
    private static final int MAX_BYTES = 72;

    private Bcrypt() {}

    static boolean matches(byte[] password, String hash) {
      // The terminating zero byte counts towards the limit and is dropped for the longest
      // passwords.
      Version version =
          password.length < MAX_BYTES ? Version.VERSION_2Y : Version.VERSION_2Y_NO_NULL_TERMINATOR;
      byte[] counts = Arrays.copyOf(password, Math.min(password.length, MAX_BYTES));
      return BCrypt.verifyer(version, LongPasswordStrategies.none())
          .verify(counts, hash.getBytes(StandardCharsets.US_ASCII))
          .verified;
    }

    /** The 10 of {@code $2y$10$...}: each increment doubles the work; 0 for another hash. */
    static int cost(String hash) {
      return HASH.matcher(hash).matches() ? Integer.parseInt(hash.substring(4, 6)) : 0;
    }
  }
}
