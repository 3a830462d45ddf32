package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.util.HashMap;

/** A server in this process, which stores objects or answers as it is told. */
final class ApiServer implements AutoCloseable {

  final KubernetesMockServer server;
  final KubernetesClient client;

  private ApiServer(KubernetesMockServer server) {
    this.server = server;
    server.init();
    try (KubernetesClient plain = server.createClient()) {
      this.client = KubernetesScheduler.connect(plain.getConfiguration());
    }
  }

  static ApiServer ofObjects() {
    return new ApiServer(
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            new HashMap<>(),
            new KubernetesCrudDispatcher(),
            false));
  }

  static ApiServer ofAnswers() {
    return new ApiServer(new KubernetesMockServer(false));
  }

  @Override
  public void close() {
    client.close();
    server.destroy();
  }
}
