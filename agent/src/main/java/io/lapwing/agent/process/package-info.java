/** What the service manager that started the agent is told. */
@NullMarked
package io.lapwing.agent.process;

import org.jspecify.annotations.NullMarked;
