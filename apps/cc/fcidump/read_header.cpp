#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "fcidump/fcidump_header.hpp"

namespace cc {

void NumberedLines::fail(long number, const std::string& what) const {
  throw ricci::InputError(fmt::format("{}:{}: {}", name_, number, what));
}

namespace {

/// An assignment of the namelist, and its line.
struct Setting {
  std::vector<std::string> values;
  long line = 0;
};
using Settings = std::map<std::string, Setting>;

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// Words, quoted texts, and `=` and `/` by themselves; commas are blanks.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\'' || c == '"') {
      const std::size_t end = std::min(line.find(c, i + 1), line.size());
      word += line.substr(i + 1, end - i - 1);
      i = end;
    } else if (std::isspace(static_cast<unsigned char>(c)) || c == ',') {
      end_word();
    } else if (c == '=' || c == '/') {
      end_word();
      words.emplace_back(1, c);
    } else {
      word += c;
    }
  }
  end_word();
  return words;
}

bool is_end(const std::string& word) {
  const std::string name = upper(word);
  return name == "/" || name == "&END" || name == "$END" || name == "&" || name == "$";
}

/// All up to the end of the namelist. A value is known from a name by the `=` that follows.
Settings read_namelist(NumberedLines& lines) {
  do {
    if (!lines.next()) lines.fail("the file ends where `&FCI` should stand");
  } while (lines.line().find_first_not_of(" \t\r") == std::string::npos);
  std::vector<std::string> words = words_of(lines.line());
  if (upper(words[0]) != "&FCI" && upper(words[0]) != "$FCI")
    lines.fail(fmt::format("an FCIDUMP begins with `&FCI NORB=..., NELEC=..., MS2=...`, not with \"{}\"", words[0]));
  words.erase(words.begin());
  Settings settings;
  Setting* open = nullptr;
  std::string last;  // a word that is a value, unless `=` follows
  for (;;) {
    for (const std::string& word : words) {
      const bool ends = is_end(word);
      if (word == "=") {
        if (last.empty()) lines.fail("there is no name before `=`");
        open = &settings[upper(last)];
        *open = {.values = {}, .line = lines.number()};
        last.clear();
        continue;
      }
      if (!last.empty()) {
        if (!open) lines.fail(fmt::format("`{}` is no setting: write NAME=VALUE", last));
        open->values.push_back(last);
      }
      last = ends ? "" : word;
      if (ends) return settings;
    }
    if (!lines.next()) lines.fail("the file ends within its header, which `&END` or `/` should close");
    words = words_of(lines.line());
  }
}

/// `3*1` stands for 1,1,1.
std::vector<int> integers(const NumberedLines& lines, const std::string& name, const Setting& setting) {
  std::vector<int> result;
  for (const std::string& text : setting.values) {
    const std::size_t star = text.find('*');
    const auto number = [&](std::string_view digits) {
      int value = 0;
      if (digits.starts_with('+')) digits.remove_prefix(1);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (error != std::errc() || end != digits.data() + digits.size())
        lines.fail(setting.line, fmt::format("{}={} is no integer", name, text));
      return value;
    };
    const int times = star == std::string::npos ? 1 : number(std::string_view(text).substr(0, star));
    const int value = number(std::string_view(text).substr(star == std::string::npos ? 0 : star + 1));
    if (times < 1 || times > 1'000'000) lines.fail(setting.line, fmt::format("{}={} repeats too often", name, text));
    result.insert(result.end(), static_cast<std::size_t>(times), value);
  }
  return result;
}

int integer(const NumberedLines& lines, const Settings& settings, const std::string& name, int otherwise) {
  const auto found = settings.find(name);
  if (found == settings.end()) return otherwise;
  const std::vector<int> values = integers(lines, name, found->second);
  if (values.size() != 1) lines.fail(found->second.line, fmt::format("{} is one number, not {}", name, values.size()));
  return values[0];
}

void refuse_unrestricted(const NumberedLines& lines, const Settings& settings) {
  for (const char* name : {"UHF", "IUHF"}) {
    const auto found = settings.find(name);
    if (found == settings.end() || found->second.values.empty()) continue;
    const std::string value = upper(found->second.values[0]);
    if (value.starts_with(".F") || value.starts_with("F") || value == "0") continue;
    lines.fail(found->second.line,
               fmt::format("{}={}: integrals of unrestricted orbitals are not read; dump those of restricted ones",
                           name, found->second.values[0]));
  }
}

}  // namespace

FcidumpHeader read_header(NumberedLines& lines) {
  const Settings settings = read_namelist(lines);
  const long end = lines.number();
  const auto line_of = [&](const std::string& name) { return settings.contains(name) ? settings.at(name).line : end; };
  refuse_unrestricted(lines, settings);
  for (const char* name : {"NORB", "NELEC"}) {
    if (!settings.contains(name)) lines.fail(fmt::format("the header has no {}", name));
  }
  FcidumpHeader header{.orbitals = integer(lines, settings, "NORB", 0),
                       .electrons = integer(lines, settings, "NELEC", 0),
                       .spin = integer(lines, settings, "MS2", 0),
                       .orbital_symmetries = {}};
  if (header.orbitals < 1 || header.orbitals > 30'000)
    lines.fail(line_of("NORB"), fmt::format("NORB={}: a number of orbitals from 1 to 30000", header.orbitals));
  if (header.electrons < 0 || header.electrons > 2 * header.orbitals)
    lines.fail(line_of("NELEC"), fmt::format("NELEC={}: {} orbitals have room for 0 to {} electrons", header.electrons,
                                             header.orbitals, 2 * header.orbitals));
  const int most = std::min(header.electrons, 2 * header.orbitals - header.electrons);
  if (header.spin < 0 || header.spin > most || (header.electrons - header.spin) % 2 != 0)
    lines.fail(line_of("MS2"),
               fmt::format("MS2={}: {} electrons in {} orbitals have an {} one, from 0 to {}", header.spin,
                           header.electrons, header.orbitals, header.electrons % 2 == 0 ? "even" : "odd", most));
  if (settings.contains("ORBSYM")) {
    header.orbital_symmetries = integers(lines, "ORBSYM", settings.at("ORBSYM"));
    if (header.orbital_symmetries.size() != static_cast<std::size_t>(header.orbitals))
      lines.fail(line_of("ORBSYM"), fmt::format("ORBSYM has {} numbers, one for each of {} orbitals are wanted",
                                                header.orbital_symmetries.size(), header.orbitals));
  }
  return header;
}

}  // namespace cc
