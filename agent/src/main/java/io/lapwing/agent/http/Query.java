package io.lapwing.agent.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a request asks, as far as any page looks at it. */
interface Query {

  @Nullable String header(String name);

  /** All values of a parameter of the URL. */
  List<String> parameters(String name);
}
