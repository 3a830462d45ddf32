package io.lapwing.agent.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lapwing.agent.events.Event;
import java.io.IOException;

/** Writes an event as one JSON object, {@code kind} and {@code at} among its members. */
interface EventWriter {
  void write(Event event, JsonGenerator json) throws IOException;
}
