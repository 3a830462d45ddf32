package io.lapwing.agent.web;

/** Serves the GET requests of a path. */
interface Page {
  Answer answer(Query query);
}
