#pragma once
// The one include of a program that uses ricci.
#include <iostream>  // all of these print

#include <ricci/disk.hpp>
#include <ricci/emit.hpp>
#include <ricci/error.hpp>
#include <ricci/expression.hpp>
#include <ricci/io.hpp>
#include <ricci/layout.hpp>
#include <ricci/machine.hpp>
#include <ricci/options.hpp>
#include <ricci/plan.hpp>
#include <ricci/program.hpp>
#include <ricci/runtime.hpp>
#include <ricci/symmetry.hpp>
#include <ricci/tensor.hpp>
#include <ricci/version.hpp>
#include <ricci/world.hpp>
