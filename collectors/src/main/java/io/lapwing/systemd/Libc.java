package io.lapwing.systemd;

import com.sun.jna.Library;

/** The C functions for sending a datagram, with the names and types of the headers. */
interface Libc extends Library {

  int AF_UNIX = 1;
  int SOCK_DGRAM = 2;
  int SOCK_CLOEXEC = 0x80000;
  int MSG_DONTWAIT = 0x40;
  int MSG_NOSIGNAL = 0x4000;

  int socket(int domain, int type, int protocol);

  /** Lengths are size_t, a long on both architectures with NVIDIA drivers. */
  long sendto(int socket, byte[] message, long length, int flags, byte[] address, int addressSize);

  int close(int socket);
}
