package io.lapwing.agent.log;

/** One key and value of a log record. */
record Field(String key, Object value) {}
