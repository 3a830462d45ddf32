package io.lapwing.drain.fake;

import io.lapwing.drain.intake.RequestSink;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps requests; a disk that is full keeps none. */
public final class RecordingSink implements RequestSink {

  public final List<Request> requests = new ArrayList<>();
  public boolean full;

  @Override
  public Optional<String> request(Request request, Instant now) throws IOException {
    if (full) {
      throw new IOException("/var/lib/lapwing-drain/journal.jsonl: No space left on device");
    }
    requests.add(request);
    return request.trial() ? Optional.of("it tries the alerts") : Optional.empty();
  }
}
