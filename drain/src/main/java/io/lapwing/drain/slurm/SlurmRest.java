package io.lapwing.drain.slurm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.common.text.FileProblem;
import io.lapwing.drain.slurm.NodeAccess.Reply;
import io.lapwing.http.HttpClient;
import io.lapwing.http.HttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * slurmrestd, in the highest version of its API that both sides have. Lists are read one element at
 * a time: those of a large cluster have tens of megabytes.
 */
public final class SlurmRest {

  /** v0.0.38 of Slurm 22.05 to v0.0.45 of 26.05. */
  private static final int OLDEST = 38;

  private static final int NEWEST = 45;

  /** Before it, nodes cannot be changed. */
  private static final int FIRST_WITH_UPDATE = 39;

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final long MOST_BYTES = 256L << 20;
  private static final Pattern NODES = Pattern.compile("/slurm/v0\\.0\\.([0-9]{1,4})/nodes/?");

  /** No token has other characters, so that it cannot be more than one header. */
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");

  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxDocumentLength(MOST_BYTES).build())
              .build());

  private final URI base;
  private final Optional<Path> socket;
  private final Optional<Path> token;
  private final HttpClient http;
  private volatile OptionalInt version = OptionalInt.empty();

  /**
   * @param socket a Unix socket instead of the host of {@code base}
   * @param token file with a JSON Web Token, which is read for each request
   * @param timeout of each request
   */
  public SlurmRest(URI base, Optional<Path> socket, Optional<Path> token, Duration timeout) {
    this.base = base;
    this.socket = socket;
    this.token = token;
    this.http = HttpClient.of(timeout, timeout);
  }

  /** Reads an element of a list. */
  interface Element<T> {
    T read(JsonNode json) throws UnreadableAnswer;
  }

  /** The list of that name in the answer to a GET. */
  <T> List<T> list(String path, String name, Element<T> element) throws UnreadableAnswer {
    List<T> all = new ArrayList<>();
    Answer answer = get(versioned(path), name, json -> all.add(element.read(json)));
    if (answer.status() == NOT_FOUND) {
      version = OptionalInt.empty(); // Slurm may have been upgraded.
    }
    if (!answer.good()) {
      throw new UnreadableAnswer(answer.words());
    }
    return all;
  }

  /** Has Slurm change something. */
  Reply post(String path, ObjectNode body) {
    try {
      URI uri = versioned(path);
      if (version.orElse(OLDEST) < FIRST_WITH_UPDATE) {
        return new Reply(true, "slurmrestd cannot change nodes by v0.0." + version.orElse(OLDEST));
      }
      Answer answer = send(HttpRequest.post(uri, body.toString()), "", json -> false);
      return new Reply(
          !answer.good() && !SlurmCommands.isNoAnswer(answer.words()),
          answer.good() ? "slurmrestd reported success" : answer.words());
    } catch (UnreadableAnswer e) {
      return new Reply(false, e.why());
    }
  }

  private URI versioned(String path) throws UnreadableAnswer {
    if (version.isEmpty()) {
      version = OptionalInt.of(negotiated());
    }
    return base.resolve("/slurm/v0.0." + version.orElseThrow() + "/" + path);
  }

  private int negotiated() throws UnreadableAnswer {
    List<Integer> served = new ArrayList<>();
    Answer answer =
        get(
            base.resolve("/openapi/v3"),
            "paths",
            path -> {
              Matcher nodes = NODES.matcher(path.asText());
              return nodes.matches() && served.add(Integer.parseInt(nodes.group(1)));
            });
    if (!answer.good()) {
      throw new UnreadableAnswer(answer.words());
    }
    return served.stream()
        .filter(one -> one >= OLDEST && one <= NEWEST)
        .max(Integer::compare)
        .orElseThrow(
            () ->
                new UnreadableAnswer(
                    "slurmrestd serves none of v0.0."
                        + OLDEST
                        + " to v0.0."
                        + NEWEST
                        + " but "
                        + served.stream().sorted().map(one -> "v0.0." + one).toList()));
  }

  interface Use {
    boolean take(JsonNode json) throws UnreadableAnswer;
  }

  private Answer get(URI uri, String list, Use use) throws UnreadableAnswer {
    return send(HttpRequest.get(uri), list, use);
  }

  private Answer send(HttpRequest request, String list, Use use) throws UnreadableAnswer {
    try {
      HttpRequest asked = authenticated(request.with("Accept", "application/json"));
      return http.send(
          socket.map(asked::over).orElse(asked),
          (head, body) -> Answer.read(head.status(), body, list, use));
    } catch (IOException e) {
      throw new UnreadableAnswer("slurmrestd does not answer", String.valueOf(e.getMessage()));
    }
  }

  private HttpRequest authenticated(HttpRequest request) throws UnreadableAnswer {
    if (token.isEmpty()) {
      return request;
    }
    Path file = token.get();
    try {
      String text = Files.readString(file).strip();
      if (!TOKEN.matcher(text).matches()) {
        throw new UnreadableAnswer(file + ": not one line with a token");
      }
      HttpRequest with = request.with("X-SLURM-USER-TOKEN", text);
      return user(text).map(name -> with.with("X-SLURM-USER-NAME", name)).orElse(with);
    } catch (IOException e) {
      throw new UnreadableAnswer(file + " cannot be read: " + FileProblem.of(e));
    }
  }

  /** Of a token of Slurm; 22.05 requires it beside the token. */
  private static Optional<String> user(String token) {
    String[] parts = token.split("\\.", -1);
    try {
      byte[] claims = Base64.getUrlDecoder().decode(parts[parts.length == 3 ? 1 : 0]);
      String name = JSON.readTree(claims).path("sun").asText("");
      return Optional.of(name).filter(one -> TOKEN.matcher(one).matches());
    } catch (IOException | IllegalArgumentException other) {
      return Optional.empty();
    }
  }

  /**
   * What came back.
   *
   * @param errors of Slurm, which may come with any status
   */
  record Answer(int status, List<String> errors) {

    boolean good() {
      return status == OK && errors.isEmpty();
    }

    String words() {
      return "slurmrestd answered " + status + (errors.isEmpty() ? "" : ": " + errors);
    }

    /** The elements of a list, or the names of the members of an object, go to {@code use}. */
    static Answer read(int status, InputStream body, String list, Use use) throws IOException {
      List<String> errors = new ArrayList<>();
      if (status != OK && status < 500) {
        return new Answer(status, errors); // without JSON
      }
      boolean found = list.isEmpty() || status != OK;
      try (JsonParser json = JSON.createParser(body)) {
        if (json.nextToken() != JsonToken.START_OBJECT) {
          throw new IOException("not a JSON object");
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String name = json.currentName();
          json.nextToken();
          if (name.equals(list) && json.currentToken().isStructStart()) {
            found = true;
            members(json, use);
          } else if (name.equals("errors") && json.currentToken().isStructStart()) {
            members(json, one -> errors.add(words(one)));
          } else {
            json.skipChildren();
          }
        }
      } catch (UnreadableAnswer e) {
        errors.add(e.why());
      }
      if (!found) {
        errors.add("no " + list);
      }
      return new Answer(status, errors);
    }

    private static void members(JsonParser json, Use use) throws IOException, UnreadableAnswer {
      boolean object = json.currentToken() == JsonToken.START_OBJECT;
      for (JsonToken at = json.nextToken();
          at != null && !at.isStructEnd();
          at = json.nextToken()) {
        if (object) {
          boolean unused = use.take(JSON.getNodeFactory().textNode(json.currentName()));
          json.nextToken();
          json.skipChildren();
        } else {
          boolean unused = use.take(JSON.readTree(json));
        }
      }
    }

    private static String words(JsonNode error) {
      String brief = error.path("error").asText();
      String text = brief.isEmpty() ? error.path("description").asText() : brief;
      return UnreadableAnswer.shown(text);
    }
  }
}
