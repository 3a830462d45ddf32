package io.lapwing.nccl;

/**
 * What tells communicators apart.
 *
 * @param hash 16 hexadecimal digits, as in the log of NCCL
 * @param secondary what makes it unique, as it stands in the reply
 */
record CommunicatorId(String hash, String secondary) {}
