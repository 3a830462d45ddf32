/**
 * Rules on the Lustre client. Most causes are a server or the network: hardly any needs more than
 * watching.
 */
@NullMarked
package io.lapwing.agent.health.rules.lustre;

import org.jspecify.annotations.NullMarked;
