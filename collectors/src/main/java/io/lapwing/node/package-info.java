/** Identity and expected hardware of the node, and the EC2 instance metadata service. */
@NullMarked
package io.lapwing.node;

import org.jspecify.annotations.NullMarked;
