package io.lapwing.agent.web;

import io.javalin.json.JsonMapper;

/** Keeps Javalin from making a JSON mapper of its own for the first request. */
enum NoJson implements JsonMapper {
  INSTANCE
}
