/** Users and their passwords, and how often they may ask; loaded only where they are configured. */
@NullMarked
package io.lapwing.agent.web.security;

import org.jspecify.annotations.NullMarked;
