#include "comm/traffic.hpp"

#include <ostream>

namespace ricci::comm {

std::string_view name_of(Call call) {
  switch (call) {
    case Call::broadcast:
      return "broadcast";
    case Call::reduce:
      return "reduce";
    case Call::gather:
      return "gather";
    case Call::exchange:
      return "exchange";
    case Call::point:
      return "point";
  }
  return "";
}

Traffic& Traffic::operator+=(const Traffic& other) {
  calls += other.calls;
  messages += other.messages;
  bytes += other.bytes;
  return *this;
}

std::ostream& operator<<(std::ostream& out, const Traffic& traffic) {
  const auto counted = [&](std::int64_t count, const char* noun) -> std::ostream& {
    return out << count << ' ' << noun << (count == 1 ? "" : "s");
  };
  counted(traffic.calls, "call") << ", ";
  counted(traffic.messages, "message") << ", ";
  return counted(traffic.bytes, "byte");
}

}  // namespace ricci::comm
