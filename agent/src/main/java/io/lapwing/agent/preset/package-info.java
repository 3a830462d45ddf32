/** The metrics presets: which metric families the scrape response has. */
@NullMarked
package io.lapwing.agent.preset;

import org.jspecify.annotations.NullMarked;
