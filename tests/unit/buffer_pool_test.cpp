#include "util/buffer_pool.hpp"

#include <gtest/gtest.h>

namespace ricci {
namespace {

TEST(BufferPool, GivesBackWhatHasTheVerySize) {
  BufferPool pool;
  AlignedBuffer one(1000);
  const std::byte* const place = one.data();
  pool.give(std::move(one));
  EXPECT_FALSE(pool.take_spare(999));
  EXPECT_FALSE(pool.take_spare(1001));
  const std::optional<AlignedBuffer> again = pool.take_spare(1000);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->data(), place);
  EXPECT_FALSE(pool.take_spare(1000));
}

TEST(BufferPool, AShareLetsLargerOnesServe) {
  BufferPool pool;
  MemoryMeter others;
  const BufferPool::Share share(pool, others, 3000);
  pool.give(AlignedBuffer(1200));
  std::optional<AlignedBuffer> larger = pool.take_spare(1000);
  ASSERT_TRUE(larger);
  EXPECT_EQ(larger->bytes(), 1000);
  larger->count_capacity_by(&others);
  EXPECT_EQ(others.live(), 1200);
  pool.give(std::move(*larger));
  EXPECT_EQ(others.live(), 0);
  EXPECT_FALSE(pool.take_spare(500));  // more than half as much again
  others.add(2000);
  EXPECT_FALSE(pool.take_spare(1000));  // 1200 of them would be too many
  others.remove(2000);
}

TEST(BufferPool, WhatIsKeptStaysWithinTheShare) {
  BufferPool pool;
  MemoryMeter others;
  const BufferPool::Share share(pool, others, 3000);
  pool.give(AlignedBuffer(1000));
  pool.give(AlignedBuffer(1100));
  others.add(1500);
  pool.release(400);  // 1500 + 400 leave 1100: the older one goes
  const std::optional<AlignedBuffer> left = pool.take_spare(1000);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->capacity(), 1100);
  EXPECT_FALSE(pool.take_spare(1000));
  others.remove(1500);
  pool.give(AlignedBuffer(3500));
  EXPECT_FALSE(pool.take_spare(3500));
}

TEST(BufferPool, WithoutAShareAsMuchGoesAsComes) {
  BufferPool pool;
  pool.give(AlignedBuffer(1000));
  pool.give(AlignedBuffer(1000));
  pool.release(1000);
  EXPECT_TRUE(pool.take_spare(1000));
  EXPECT_FALSE(pool.take_spare(1000));
}

}  // namespace
}  // namespace ricci
