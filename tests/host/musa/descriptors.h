// Passes a descriptor to another process through a socket.
#pragma once

#include <sys/socket.h>

#include <cstring>

struct DescriptorMessage {
  DescriptorMessage() {
    part.iov_base = &byte;
    part.iov_len = 1;
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof(control);
  }

  char byte = 'd';
  iovec part{};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
};

inline bool send_descriptor(int socket, int descriptor) {
  DescriptorMessage message;
  cmsghdr* const entry = CMSG_FIRSTHDR(&message.header);
  entry->cmsg_level = SOL_SOCKET;
  entry->cmsg_type = SCM_RIGHTS;
  entry->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(entry), &descriptor, sizeof(int));
  return sendmsg(socket, &message.header, MSG_NOSIGNAL) == 1;
}

// -1 if the other end sends none.
inline int receive_descriptor(int socket) {
  DescriptorMessage message;
  if (recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC) != 1) return -1;
  const cmsghdr* const entry = CMSG_FIRSTHDR(&message.header);
  int descriptor = -1;
  if (entry != nullptr && entry->cmsg_type == SCM_RIGHTS) {
    std::memcpy(&descriptor, CMSG_DATA(entry), sizeof(int));
  }
  return descriptor;
}
