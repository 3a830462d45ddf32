package io.lapwing.agent.web;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The headers and URL parameters of a request. */
interface Query {

  @Nullable String header(String name);

  /** The names of the parameters of the URL. */
  Set<String> names();

  /** All values of a parameter of the URL. */
  List<String> parameters(String name);
}
