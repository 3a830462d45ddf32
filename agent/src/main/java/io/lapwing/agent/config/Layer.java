package io.lapwing.agent.config;

import java.util.ArrayList;
import java.util.List;

/** What one place (command line, environment, file) gives, and what is wrong with it. */
record Layer(List<Given> given, List<String> problems, List<String> warnings) {

  Layer() {
    this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }
}
