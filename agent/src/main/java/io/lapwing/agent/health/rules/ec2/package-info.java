/** The rules on what EC2 has scheduled for the instance. */
@NullMarked
package io.lapwing.agent.health.rules.ec2;

import org.jspecify.annotations.NullMarked;
