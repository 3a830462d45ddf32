package io.lapwing.nccl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;

/**
 * What a file is at one moment, without following a link.
 *
 * @param mode of {@code stat}, with the kind of file
 * @param uid of its owner
 * @param inode so that another file of the same name is another
 */
record FileStamp(int mode, int uid, long size, Instant modified, long inode) {

  private static final int KIND = 0170000;
  private static final int REGULAR = 0100000;
  private static final int LINK = 0120000;
  private static final int STICKY = 01000;

  static FileStamp of(Path file) throws IOException {
    Map<String, Object> all =
        Files.readAttributes(
            file, "unix:mode,uid,size,lastModifiedTime,ino", LinkOption.NOFOLLOW_LINKS);
    return new FileStamp(
        (Integer) get(all, "mode"),
        (Integer) get(all, "uid"),
        (Long) get(all, "size"),
        ((FileTime) get(all, "lastModifiedTime")).toInstant(),
        (Long) get(all, "ino"));
  }

  private static Object get(Map<String, Object> all, String name) throws IOException {
    Object value = all.get(name);
    if (value == null) {
      throw new IOException("no " + name);
    }
    return value;
  }

  boolean isRegular() {
    return (mode & KIND) == REGULAR;
  }

  boolean isLink() {
    return (mode & KIND) == LINK;
  }

  /** Of a folder: whether everybody may leave files there and take away only his own. */
  boolean isForEverybody() {
    return uid == 0 && (mode & STICKY) != 0;
  }
}
