/** How requests reach the controller: alerts of Alertmanager, and people. */
@NullMarked
package io.lapwing.drain.intake;

import org.jspecify.annotations.NullMarked;
