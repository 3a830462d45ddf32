package io.lapwing.agent.web;

/** Whether the page is worth scraping yet. */
public sealed interface Readiness {

  record Ready() implements Readiness {}

  record NotReady(String reason) implements Readiness {}
}
