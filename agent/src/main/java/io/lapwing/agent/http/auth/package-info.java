/** Users and their passwords, and how often they may ask; loaded only where they are configured. */
@NullMarked
package io.lapwing.agent.http.auth;

import org.jspecify.annotations.NullMarked;
