#include <ostream>
#include <sstream>

#include "plan/spread.hpp"

namespace ricci::planning {

std::string KnownSpreads::text_of(const SpreadProblem& problem) {
  std::ostringstream text;
  text << problem.ranks << problem.accumulate << problem.c.stays << problem.element_size << problem.flops_per_product;
  for (const PlacedTensor* tensor : {&problem.c, &problem.a, &problem.b}) {
    text << ';';
    if (!tensor->shape) continue;
    text << *tensor->shape << ' ';
    for (int label : tensor->labels) text << label << ' ';
    if (tensor->layout) text << *tensor->layout;
  }
  return text.str();
}

}  // namespace ricci::planning
