#include "util/give_back_heap.hpp"

#include <cstdlib>  // defines __GLIBC__ where it is there
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace ricci {

void give_back_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace ricci
