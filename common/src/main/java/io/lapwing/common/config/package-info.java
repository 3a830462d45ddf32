/** Options from flags, environment and file, and the web configuration file. */
@NullMarked
package io.lapwing.common.config;

import org.jspecify.annotations.NullMarked;
