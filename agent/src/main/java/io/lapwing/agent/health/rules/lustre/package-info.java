/**
 * The rules that look at the Lustre client. What they find is most often a server's or the
 * network's fault, so hardly any of them asks for more than to be watched.
 */
@NullMarked
package io.lapwing.agent.health.rules.lustre;

import org.jspecify.annotations.NullMarked;
