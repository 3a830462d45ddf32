package io.lapwing.agent.web;

import io.lapwing.metric.Metric;

/** What the series of one family become in a row. */
sealed interface Column {

  Metric metric();

  /** The name in JSON. */
  String name();

  /** A number. */
  record Value(Metric metric, String name) implements Column {}

  /** An object of numbers by the value of a label, without those that are 0. */
  record By(Metric metric, String name, String label) implements Column {}

  /** The value of a label, of the series that are not 0; several are separated by commas. */
  record Text(Metric metric, String name, String label) implements Column {}
}
