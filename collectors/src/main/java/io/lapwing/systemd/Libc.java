package io.lapwing.systemd;

import com.sun.jna.Library;

/** What of the C library a datagram takes; the names and types are those of its headers. */
interface Libc extends Library {

  int AF_UNIX = 1;
  int SOCK_DGRAM = 2;
  int SOCK_CLOEXEC = 0x80000;
  int MSG_DONTWAIT = 0x40;
  int MSG_NOSIGNAL = 0x4000;

  int socket(int domain, int type, int protocol);

  /** Lengths are size_t, which is a long on both processors that there are drivers for. */
  long sendto(int socket, byte[] message, long length, int flags, byte[] address, int addressSize);

  int close(int socket);
}
