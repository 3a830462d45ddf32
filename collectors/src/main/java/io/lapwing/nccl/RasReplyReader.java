package io.lapwing.nccl;

import io.lapwing.json.JsonCursor;
import io.lapwing.json.NotJson;
import io.lapwing.nccl.RasReply.Communicator;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Reads a JSON reply as a stream, in bounded memory.
 *
 * <pre>
 * {"nccl_version": "2.29.1", ..., "communicators": [...],
 *  "ras": {"collection_time_sec": 0.000, "timeouts_count": 0}}
 * </pre>
 */
final class RasReplyReader {

  /** A rank is in a handful, one for each kind of parallelism. */
  static final int MAX_COMMUNICATORS = 64;

  /** Largest first, then by id, so that series are stable. */
  private static final Comparator<Communicator> LARGEST_FIRST =
      Comparator.comparingInt(Communicator::size)
          .reversed()
          .thenComparing(one -> one.id().hash())
          .thenComparing(one -> one.id().secondary());

  private static final int LONGEST_VERSION = 32;

  private final JsonCursor json;
  private final CommunicatorReader reader;
  private final List<Communicator> communicators = new ArrayList<>();
  private String version = "";
  private OptionalDouble seconds = OptionalDouble.empty();
  private OptionalInt timeouts = OptionalInt.empty();
  private int dropped;

  private RasReplyReader(JsonCursor json, LocalProcesses local) {
    this.json = json;
    this.reader = new CommunicatorReader(json, local);
  }

  /** Reads a whole reply; any other input is a {@link RasFailure}. */
  static RasReply read(InputStream in, LocalProcesses local) throws RasFailure {
    try (JsonCursor json = JsonCursor.ofBounded(in)) {
      RasReplyReader reader = new RasReplyReader(json, local);
      json.object(reader::field);
      return reader.reply();
    } catch (NotJson malformed) {
      throw malformed.truncated()
          ? new RasFailure(RasFailure.CUT_OFF, "the reply is truncated")
          : new RasFailure(RasFailure.MALFORMED, "not a reply of NCCL: " + malformed.getMessage());
    } catch (IOException broken) {
      throw RasConnection.failure(broken);
    }
  }

  private void field(String name) throws IOException {
    switch (name) {
      case "nccl_version" -> version = clean(json.text());
      case "communicators" -> json.array(this::communicator);
      case "ras" -> json.object(this::ras);
      default -> json.skip();
    }
  }

  private void communicator() throws IOException {
    Optional<Communicator> one = reader.read();
    if (one.isPresent()) {
      communicators.add(one.get());
      if (communicators.size() > MAX_COMMUNICATORS) {
        communicators.sort(LARGEST_FIRST);
        communicators.remove(MAX_COMMUNICATORS);
        dropped++;
      }
    }
  }

  private void ras(String name) throws IOException {
    switch (name) {
      case "collection_time_sec" -> seconds = OptionalDouble.of(json.amount());
      case "timeouts_count" -> timeouts = OptionalInt.of(json.integer().orElse(0));
      default -> json.skip();
    }
  }

  private RasReply reply() {
    communicators.sort(LARGEST_FIRST);
    return new RasReply(
        version, true, seconds, timeouts, communicators, dropped, reader.withoutProcess(), 0);
  }

  /** Safe for a label. */
  static String clean(String version) {
    String plain = version.replaceAll("[^A-Za-z0-9.+_-]", "");
    return plain.length() > LONGEST_VERSION ? plain.substring(0, LONGEST_VERSION) : plain;
  }
}
