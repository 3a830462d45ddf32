package io.lapwing.agent.web.security;

import io.lapwing.agent.log.Log;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Says whether a user has a password. To hash one takes a tenth of a second on purpose, so:
 *
 * <ul>
 *   <li>one is hashed at a time, by a thread of its own, and a few wait; guessing takes one core at
 *       most, and no thread that serves pages;
 *   <li>what came of it is kept. What is right and what is wrong are kept apart, so that no flood
 *       of guesses drives out a scraper's password;
 *   <li>a name that does not exist costs the same as one that does.
 * </ul>
 *
 * <p>What is kept is found by the name, the hash and the password, each a field of its own, and not
 * by a text made of them: two that differ are never taken for one (CVE-2022-46146).
 */
public final class Passwords implements AutoCloseable {
  private static final Log LOG = Log.of(Passwords.class);
  private static final int MOST_WAITING = 16;
  private static final int MOST_KEPT = 100;
  private static final int IDLE_SECONDS = 30;

  /** What came of it. */
  public enum Result {
    RIGHT,
    WRONG,
    /** Too many are being looked at; later, perhaps. */
    BUSY
  }

  /**
   * One question.
   *
   * @param known whether there is such a user: who is none today may be one in the next file
   * @param password not itself: a code of it that nobody outside of this process can make
   */
  private record Question(boolean known, String user, String hash, String password) {}

  private final BiPredicate<byte[], String> bcrypt;
  private final ExecutorService hashing;
  private final Map<Question, CompletableFuture<Result>> asked = new ConcurrentHashMap<>();
  private final Map<Question, Boolean> right = new Kept();
  private final Map<Question, Boolean> wrong = new Kept();
  private final SecretKeySpec secret;

  public Passwords() {
    this(Bcrypt::matches);
  }

  /**
   * @param bcrypt whether a password has this hash
   */
  Passwords(BiPredicate<byte[], String> bcrypt) {
    this.bcrypt = bcrypt;
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.secret = new SecretKeySpec(random, "HmacSHA256");
    ThreadPoolExecutor one =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            work -> {
              Thread thread = new Thread(work, "http-passwords");
              thread.setDaemon(true);
              return thread;
            });
    one.allowCoreThreadTimeOut(true);
    this.hashing = one;
  }

  /**
   * Whether these are the name and the password of a user.
   *
   * @param users hashes by name; at least one
   * @return done at once where it is known already
   */
  public CompletableFuture<Result> check(Credentials given, Map<String, String> users) {
    String hash = users.get(given.user());
    boolean known = hash != null;
    // The same work for a name that does not exist as for one that does.
    String compared = hash != null ? hash : users.values().iterator().next();
    Question question = new Question(known, given.user(), compared, code(given.password()));
    if (known && kept(right, question)) {
      return CompletableFuture.completedFuture(Result.RIGHT);
    }
    if (kept(wrong, question)) {
      return CompletableFuture.completedFuture(Result.WRONG);
    }
    // Who asks the same while it is being looked at waits for the same answer.
    CompletableFuture<Result> answer = new CompletableFuture<>();
    CompletableFuture<Result> other = asked.putIfAbsent(question, answer);
    if (other != null) {
      return other;
    }
    try {
      hashing.execute(() -> answer(question, known, given.password(), answer));
    } catch (RejectedExecutionException e) {
      asked.remove(question);
      answer.complete(Result.BUSY);
    }
    return answer;
  }

  private void answer(
      Question question, boolean known, byte[] password, CompletableFuture<Result> answer) {
    Result result = Result.WRONG;
    try {
      boolean same = bcrypt.test(password, question.hash());
      result = same && known ? Result.RIGHT : Result.WRONG;
      keep(result == Result.RIGHT ? right : wrong, question);
    } catch (RuntimeException e) {
      LOG.error("a password could not be compared", e);
    } finally {
      asked.remove(question);
      answer.complete(result);
    }
  }

  private String code(byte[] password) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(secret);
      return HexFormat.of().formatHex(mac.doFinal(password));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  private static boolean kept(Map<Question, Boolean> kept, Question question) {
    synchronized (kept) {
      return kept.get(question) != null;
    }
  }

  private static void keep(Map<Question, Boolean> kept, Question question) {
    synchronized (kept) {
      kept.put(question, true);
    }
  }

  /** The last so many that were asked for. */
  private static final class Kept extends LinkedHashMap<Question, Boolean> {

    Kept() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Question, Boolean> eldest) {
      return size() > MOST_KEPT;
    }
  }

  @Override
  public void close() {
    hashing.shutdownNow();
  }

  /** The users whose hash costs more than that, and its cost; each one more doubles the work. */
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
}
