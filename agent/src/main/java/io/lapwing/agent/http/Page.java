package io.lapwing.agent.http;

/** Answers the GET requests of one path. */
interface Page {
  Answer answer(Query query);
}
