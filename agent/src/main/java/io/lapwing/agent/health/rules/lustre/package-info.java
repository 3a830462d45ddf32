/**
 * The rules on the Lustre client. The cause is most often a server or the network, so hardly any of
 * them requires more than watching.
 */
@NullMarked
package io.lapwing.agent.health.rules.lustre;

import org.jspecify.annotations.NullMarked;
