#pragma once

namespace ricci {

/// What the heap keeps of freed memory goes back to the system, where it does that by itself only for the end of its
/// memory. Takes about a millisecond: for what has just taken and freed much, where memory is short.
void give_back_heap();

}  // namespace ricci
