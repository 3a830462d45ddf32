package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserFileTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path folder = Path.of("");

  private Path fifo() throws Exception {
    Path fifo = folder.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    return fifo;
  }

  private static String text(UserFile file) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(100);
    int read = file.channel().read(into, 0);
    return new String(into.array(), 0, Math.max(0, read), StandardCharsets.UTF_8);
  }

  @Test
  void aRegularFileIsRead() throws IOException {
    Path path = Files.writeString(folder.resolve("a\u00e9"), "text");
    try (UserFile file = UserFile.open(path)) {
      Files.delete(path);
      assertThat(text(file)).isEqualTo("text");
      assertThat(file.attributes().size()).isEqualTo(4);
      assertThat(file.attributes().isRegular()).isTrue();
    }
  }

  @Test
  void nothingElseIsOpenedAndNothingWaits() throws Exception {
    Path fifo = fifo();
    Path target = Files.writeString(folder.resolve("target"), "text");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          for (Path odd : new Path[] {fifo, link, folder, Path.of("/dev/null")}) {
            assertThatThrownBy(() -> UserFile.open(odd))
                .as(odd.toString())
                .isInstanceOf(UserFile.NotRegularException.class);
          }
          assertThatThrownBy(() -> UserFile.open(folder.resolve("none")))
              .isInstanceOf(NoSuchFileException.class);
          assertThatThrownBy(() -> UserFile.open(target.resolve("none")))
              .isInstanceOf(NoSuchFileException.class);
        });
  }

  @Test
  void aFileWithoutPermissionIsDenied() throws IOException {
    Path path = Files.writeString(folder.resolve("secret"), "text");
    Files.setPosixFilePermissions(path, java.util.Set.of());
    org.junit.jupiter.api.Assumptions.assumeFalse(Files.isReadable(path), "root reads everything");
    assertThatThrownBy(() -> UserFile.open(path)).isInstanceOf(AccessDeniedException.class);
  }

  /** FIFOs without a writer: a plain open waits for ever, whatever was checked before it. */
  @Test
  void aNameThatIsExchangedForFifosNeverHangs() throws Exception {
    Path fifo = fifo();
    Path name = folder.resolve("name");
    AtomicBoolean done = new AtomicBoolean();
    Thread attacker =
        new Thread(
            () -> {
              try {
                for (int i = 0; !done.get(); i++) {
                  Path next = folder.resolve("next");
                  switch (i % 4) {
                    case 0 -> Files.createLink(next, fifo);
                    case 1, 3 -> Files.writeString(next, "text");
                    default -> Files.createSymbolicLink(next, fifo);
                  }
                  Files.move(
                      next,
                      name,
                      StandardCopyOption.ATOMIC_MOVE,
                      StandardCopyOption.REPLACE_EXISTING);
                }
              } catch (IOException broken) {
                throw new java.io.UncheckedIOException(broken);
              }
            });
    attacker.start();
    int[] opened = new int[2];
    try {
      assertTimeoutPreemptively(
          PATIENCE,
          () -> {
            while (opened[0] < 300 || opened[1] < 300) {
              try (UserFile file = UserFile.open(name)) {
                assertThat(file.attributes().isRegular()).isTrue();
                opened[0]++;
              } catch (FileSystemException refused) {
                opened[1]++;
              }
            }
          });
    } finally {
      done.set(true);
      attacker.join();
    }
    assertThat(opened[0]).isGreaterThanOrEqualTo(300);
  }

  @Test
  void aLockOfNobodyIsFreeAndOneOfAnotherFileToo() throws Exception {
    Path path = Files.writeString(folder.resolve("a"), "text");
    Path other = Files.writeString(folder.resolve("b"), "text");
    UserFile.Attributes file = UserFile.Attributes.at(path);
    assertThat(UserFile.lock(path, file)).isEqualTo(UserFile.Lock.FREE);
    Process holder =
        new ProcessBuilder(
                "python3",
                "-c",
                "import fcntl,sys;f=open(sys.argv[1],'r+b');fcntl.lockf(f,fcntl.LOCK_EX,1,0);"
                    + "print(1,flush=True);sys.stdin.read()",
                path.toString())
            .start();
    try (var said = holder.inputReader(StandardCharsets.UTF_8)) {
      assertThat(said.readLine()).isEqualTo("1");
      assertThat(UserFile.lock(path, file).pid()).hasValue(holder.pid());
      assertThat(UserFile.lock(path, UserFile.Attributes.at(other))).isEqualTo(UserFile.Lock.FREE);
      holder.outputWriter(StandardCharsets.UTF_8).close();
      assertThat(holder.waitFor()).isZero();
      assertThat(UserFile.lock(path, file).held()).isFalse();
    } finally {
      holder.destroyForcibly();
    }
  }
}
