package io.lapwing.agent.web;

import io.javalin.http.Context;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A Javalin request as a query. */
record ContextQuery(Context context) implements Query {

  @Override
  public @Nullable String header(String name) {
    return context.req().getHeader(name);
  }

  @Override
  public Set<String> names() {
    return context.queryString() == null ? Set.of() : context.queryParamMap().keySet();
  }

  /** Most requests have no parameters, and then nothing is decoded. */
  @Override
  public List<String> parameters(String name) {
    return context.queryString() == null ? List.of() : context.queryParams(name);
  }
}
