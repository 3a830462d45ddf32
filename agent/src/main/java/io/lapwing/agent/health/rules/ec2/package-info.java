/** The rules on what the node is to have and on what EC2 is going to do to it. */
@NullMarked
package io.lapwing.agent.health.rules.ec2;

import org.jspecify.annotations.NullMarked;
