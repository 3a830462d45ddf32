/** What the service manager that started the agent is told. */
@NullMarked
package io.lapwing.agent.service;

import org.jspecify.annotations.NullMarked;
