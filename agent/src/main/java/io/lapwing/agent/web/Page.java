package io.lapwing.agent.web;

/** Answers the GET requests of one path. */
interface Page {
  Answer answer(Query query);
}
