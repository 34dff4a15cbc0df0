#include "notation/bound_statement.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "notation/labels.hpp"

namespace ricci::notation {

namespace {

class Binder {
 public:
  explicit Binder(const WrittenStatement& written) : written_(written) {
    bound_.type = written.type;
    bound_.overwrite = written.overwrite;
  }

  BoundStatement run() {
    bound_.output = bind_tensor(written_.output, "the output");
    for (std::size_t t = 0; t < written_.terms.size(); ++t) {
      std::vector<BoundTensor>& term = bound_.terms.emplace_back();
      for (std::size_t f = 0; f < written_.terms[t].size(); ++f) {
        const std::string where = written_.terms.size() > 1 ? fmt::format("operand {} of term {}", f + 1, t + 1)
                                                            : fmt::format("operand {}", f + 1);
        term.push_back(bind_tensor(written_.terms[t][f], where));
      }
    }
    return std::move(bound_);
  }

 private:
  BoundTensor bind_tensor(const WrittenTensor& tensor, const std::string& where) {
    BoundTensor bound{tensor.shape, {}, tensor.conjugate, tensor.is_output};
    const std::vector<std::string> names = parse_labels(tensor.labels, tensor.shape->order());
    const std::string described =
        fmt::format("{} (\"{}\", extents {})", where, tensor.labels, fmt::join(tensor.shape->extents(), ","));
    for (std::size_t mode = 0; mode < names.size(); ++mode) {
      const std::int64_t extent = tensor.shape->extents()[mode];
      const auto known = std::find(bound_.label_names.begin(), bound_.label_names.end(), names[mode]);
      const std::size_t label = static_cast<std::size_t>(known - bound_.label_names.begin());
      if (known == bound_.label_names.end()) {
        bound_.label_names.push_back(names[mode]);
        bound_.extents.push_back(extent);
        first_seen_.push_back(described);
      } else if (bound_.extents[label] != extent) {
        throw InputError(
            fmt::format("label '{}' has extent {} in {} but extent {} in {}; give both modes one extent, or "
                        "different labels",
                        names[mode], bound_.extents[label], first_seen_[label], extent, described));
      }
      bound.labels.push_back(static_cast<int>(label));
    }
    return bound;
  }

  const WrittenStatement& written_;
  BoundStatement bound_;
  std::vector<std::string> first_seen_;
};

}  // namespace

BoundStatement bind(const WrittenStatement& written) { return Binder(written).run(); }

std::string labels_text(const BoundStatement& statement, const std::vector<int>& labels) {
  const bool is_long =
      std::any_of(labels.begin(), labels.end(), [&](int l) { return statement.label_names[l].size() > 1; });
  std::string text;
  for (int label : labels) {
    if (is_long && !text.empty()) text += ',';
    text += statement.label_names[label];
  }
  return text;
}

}  // namespace ricci::notation
