// Device memory shared between processes.
#ifndef TORCHADA_HOST_MUSART_IPC_H_
#define TORCHADA_HOST_MUSART_IPC_H_

#include <string>

namespace musart {

// Ends the sharing of an exported allocation: who has it open keeps it, nobody else gets at it.
void forget_shared_name(const std::string& name);

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_IPC_H_
