// What MTML, MUSA's management library, tells of the devices.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace torchada::info {

// Asks the libmtml that belongs to this libmusart: "version", and in "devices", by PCI address as
// cudaDeviceGetPCIBusId() writes it, "used" (bytes) and "busy" (percent). What it does not tell is
// missing. For a child process: nobody knows what a driver does.
nlohmann::json ask_management(const std::string& musart, const std::vector<std::string>& addresses);

}  // namespace torchada::info
