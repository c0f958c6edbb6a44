#pragma once

#include "paper_tables/floors/scaling.hpp"
#include "paper_tables/plots/plot.hpp"

namespace macrobench {

/// The time of each implementation's largest problem against the number of GPUs, ranks or
/// processes: measured, ideal (that of the smallest measured number, divided by theirs), and as the
/// fitted model says. Nothing to draw if no problem was measured on two numbers of them.
Plot scaling_plot(const Scaling& scaling);

}  // namespace macrobench
