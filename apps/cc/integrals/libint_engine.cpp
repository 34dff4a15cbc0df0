// The only file that compiles the implementation of libint2's engine, which takes half a minute and gigabytes of
// memory.
#define LIBINT2_DOES_NOT_INLINE_ENGINE
#include <libint2/engine.h>
#include <libint2/engine.impl.h>

namespace libint2 {

template const Engine::target_ptr_vec& Engine::compute2<Operator::coulomb, BraKet::xx_xx, 0>(const Shell&, const Shell&,
                                                                                             const Shell&, const Shell&,
                                                                                             const ShellPair*,
                                                                                             const ShellPair*);

}  // namespace libint2
