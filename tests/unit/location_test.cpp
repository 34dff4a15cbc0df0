#include "storage/location.hpp"

#include <gmock/gmock.h>

#include <ricci/error.hpp>

#include "array_file_fixture.hpp"
#include "storage/slabs.hpp"

namespace ricci::storage {
namespace {

TEST(Location, Parses) {
  EXPECT_EQ(parse_location("x.npy"), (Location{FileFormat::npy, "x.npy", ""}));
  EXPECT_EQ(parse_location("dir/x.h5:/group/name"), (Location{FileFormat::hdf5, "dir/x.h5", "/group/name"}));
  EXPECT_EQ(parse_location("x.hdf5:/a.npy"), (Location{FileFormat::hdf5, "x.hdf5", "/a.npy"}));
  EXPECT_EQ(to_string(parse_location("x.h5:/a")), "x.h5:/a");
}

TEST(Location, RejectsAnythingElse) {
  EXPECT_THAT(
      message_of<InputError>([] { parse_location("x.h5"); }),
      testing::HasSubstr("\"x.h5\": the name of the dataset is missing; write \"FILE.npy\", or \"FILE.h5:/NAME\""));
  for (const auto* const where : {"", ".npy", "x", "x.txt", "x.h5:", "x.h5:name", "x.h5:/", ".h5:/a"}) {
    EXPECT_THROW(parse_location(where), InputError) << where;
  }
}

TEST(Slabs, CoverAnArrayInOrder) {
  for (const std::vector<std::int64_t>& extents :
       {std::vector<std::int64_t>{}, {7}, {3, 4, 5}, {2, 1, 9}, {5, 1, 1}, {2, 0, 3}}) {
    for (const std::int64_t most : {1, 2, 7, 20, 100}) {
      std::int64_t total = 1, next = 0;
      for (const std::int64_t extent : extents) total *= extent;
      const Slabs slabs(extents, most);
      for (std::int64_t number = 0; number < slabs.count(); ++number) {
        const Slab slab = slabs[number];
        EXPECT_EQ(slab.first, next);
        std::int64_t count = 1, position = 0;
        for (std::size_t mode = 0; mode < extents.size(); ++mode) {
          count *= slab.extent[mode];
          position = position * extents[mode] + slab.start[mode];
        }
        EXPECT_EQ(slab.count, count);
        EXPECT_EQ(slab.first, position);
        next += slab.count;
        EXPECT_LE(slab.count, slabs.largest());
      }
      EXPECT_EQ(next, total);
      EXPECT_LE(slabs.largest(), most);
    }
  }
}

}  // namespace
}  // namespace ricci::storage
