/* The layout of a ring file, version 1: docs/nccl-format.md. Little-endian. */
#ifndef LAPWING_NCCL_RING_H
#define LAPWING_NCCL_RING_H

#include <stddef.h>
#include <stdint.h>

#define RING_MAGIC "LAPWNCCL"
#define RING_VERSION 1
#define RING_CAPACITY 1024
#define RING_COMMUNICATORS 32

/* Places in struct ring_communicator, in the order of the format. */
enum ring_operation {
  RING_ALL_REDUCE,
  RING_ALL_GATHER,
  RING_REDUCE_SCATTER,
  RING_BROADCAST,
  RING_REDUCE,
  RING_ALL_TO_ALL,
  RING_SEND_RECEIVE,
  RING_COPY_ENGINE,
  RING_OTHER,
  RING_OPERATIONS
};

struct ring_header {
  char magic[8];
  uint32_t version, header_size, record_size, capacity, pid, flags;
  uint64_t start_ticks, pid_namespace;
  int32_t rank, local_rank;
  uint32_t world_size;
  int32_t gpu_index;
  uint32_t communicators, communicator_size, api, unused1;
  uint64_t created_ns;
  uint64_t written;  /* records that were started */
  uint64_t lost;     /* collectives that ended without a record */
  uint64_t refused;  /* communicators beyond the table */
  uint64_t ended;
  char unused2[136];
  char job[128], run[128], gpu_uuid[96], host[64];
  char unused3[352];
};

/* Totals of one operation of one communicator, since its creation. Sequences are NCCL's number + 1; 0: none. */
struct ring_totals {
  uint64_t entered, bytes, entered_sequence, entered_ns;
  uint64_t started, started_sequence, started_ns;
  uint64_t finished, finished_sequence, finished_ns;
  uint64_t timed, timed_ns;
};

struct ring_communicator {
  uint32_t state; /* 0: unused, 1: in use */
  uint32_t generation;
  uint64_t hash;
  int32_t rank;
  uint32_t ranks, nodes, unused1;
  uint64_t since_ns;
  char unused2[24];
  char name[64];
  struct ring_totals operations[RING_OPERATIONS];
  char unused3[32];
};

struct ring_record {
  uint64_t mark; /* 2n+1 while record n is being written, 2n+2 when it is complete */
  uint64_t sequence, bytes, entered_ns, finished_ns, duration_ns;
  uint8_t communicator, operation;
  uint16_t flags; /* bit 0: the duration is by the GPU's clock */
  uint32_t generation;
  uint64_t mark_again;
};

struct ring_file {
  struct ring_header header;
  struct ring_communicator communicators[RING_COMMUNICATORS];
  struct ring_record records[RING_CAPACITY];
};

_Static_assert(sizeof(struct ring_header) == 1024, "layout");
_Static_assert(offsetof(struct ring_header, communicators) == 64, "layout");
_Static_assert(offsetof(struct ring_header, created_ns) == 80, "layout");
_Static_assert(offsetof(struct ring_header, ended) == 112, "layout");
_Static_assert(offsetof(struct ring_header, job) == 256, "layout");
_Static_assert(sizeof(struct ring_communicator) == 1024, "layout");
_Static_assert(offsetof(struct ring_communicator, name) == 64, "layout");
_Static_assert(offsetof(struct ring_communicator, operations) == 128, "layout");
_Static_assert(sizeof(struct ring_totals) == 96, "layout");
_Static_assert(sizeof(struct ring_record) == 64, "layout");
_Static_assert(offsetof(struct ring_record, communicator) == 48, "layout");

#endif
