package io.lapwing.kubelet;

import io.grpc.Attributes;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** gRPC's own server on a Unix socket; its one method replies with bytes. */
final class FakeKubelet implements AutoCloseable {

  private final EventLoopGroup loops = new EpollEventLoopGroup(1);
  private final AtomicInteger connections = new AtomicInteger();
  private final Server server;

  /** Handles a call. */
  interface Behaviour {
    void reply(StreamObserver<byte[]> to);
  }

  FakeKubelet(Path socket, Behaviour behaviour) throws IOException {
    MethodDescriptor<byte[], byte[]> list =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("v1.PodResourcesLister/List")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();
    this.server =
        NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
            .channelType(EpollServerDomainSocketChannel.class)
            .bossEventLoopGroup(loops)
            .workerEventLoopGroup(loops)
            .directExecutor()
            .addTransportFilter(
                new ServerTransportFilter() {
                  @Override
                  public Attributes transportReady(Attributes connection) {
                    connections.incrementAndGet();
                    return connection;
                  }
                })
            .addService(
                ServerServiceDefinition.builder("v1.PodResourcesLister")
                    .addMethod(
                        list,
                        ServerCalls.<byte[], byte[]>asyncUnaryCall(
                            (request, to) -> behaviour.reply(to)))
                    .build())
            .build()
            .start();
  }

  static FakeKubelet that(Path socket, byte[] reply) throws IOException {
    return new FakeKubelet(
        socket,
        to -> {
          to.onNext(reply);
          to.onCompleted();
        });
  }

  static FakeKubelet that(Path socket, Status fails) throws IOException {
    return new FakeKubelet(socket, to -> to.onError(fails.asRuntimeException()));
  }

  int connections() {
    return connections.get();
  }

  @Override
  public void close() {
    server.shutdownNow();
    boolean ended =
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    if (!ended) {
      throw new IllegalStateException("the server does not end");
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }
  }
}
