package io.lapwing.drain.http;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Passes on the first bytes of a response, and ends it there. */
public final class FirstBytes implements BodySubscriber<byte[]> {

  private final BodySubscriber<byte[]> whole;
  private int left;
  private @Nullable Subscription subscription;

  private FirstBytes(int most, BodySubscriber<byte[]> whole) {
    this.left = most;
    this.whole = whole;
  }

  /** A body of at most that many bytes. */
  public static BodyHandler<byte[]> atMost(int bytes) {
    return head -> new FirstBytes(bytes, BodySubscribers.ofByteArray());
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return whole.getBody();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    this.subscription = subscription;
    whole.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (left == 0) {
      return;
    }
    List<ByteBuffer> passed = new ArrayList<>();
    for (ByteBuffer buffer : buffers) {
      int bytes = Math.min(left, buffer.remaining());
      passed.add(buffer.slice(buffer.position(), bytes));
      left -= bytes;
    }
    whole.onNext(passed);
    if (left == 0 && subscription != null) {
      subscription.cancel();
      whole.onComplete();
    }
  }

  @Override
  public void onError(Throwable failure) {
    if (left > 0) {
      whole.onError(failure);
    }
  }

  @Override
  public void onComplete() {
    if (left > 0) {
      whole.onComplete();
    }
  }
}
