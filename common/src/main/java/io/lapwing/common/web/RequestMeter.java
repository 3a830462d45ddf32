package io.lapwing.common.web;

/** Counts HTTP requests. Thread-safe. */
public interface RequestMeter {
  RequestMeter NONE =
      new RequestMeter() {
        @Override
        public void started() {}

        @Override
        public void answered(String handler, int status) {}

        @Override
        public void rejected() {}
      };

  void started();

  /** A request completed; {@code handler} is the route's name, never the client's text. */
  void answered(String handler, int status);

  /** A request was refused because too many were in flight. */
  void rejected();
}
