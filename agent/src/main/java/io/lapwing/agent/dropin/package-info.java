/** Translates the configuration of dcgm-exporter: what Lapwing has for it, and every difference. */
@NullMarked
package io.lapwing.agent.dropin;

import org.jspecify.annotations.NullMarked;
