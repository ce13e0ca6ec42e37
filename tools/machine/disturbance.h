// How much processor time other programs and the host used during a measurement. The command itself
// and the programs that it started do not count.
#pragma once

#include <string>

namespace sluice {

// Processor times since the machine or the process started, in seconds.
struct ProcessorTimes {
  double total_s = 0;   // of all processors, idle or not
  double busy_s = 0;    // of all processes and the kernel
  double stolen_s = 0;  // time in which the host of a virtual machine ran something else
  double own_s = 0;     // of this process and of its children that have ended
};

// All times are 0 if /proc/stat cannot be read.
ProcessorTimes processor_times();

// Reads the first line of /proc/stat, whose times are in ticks: "cpu  user nice system idle iowait
// irq softirq steal ...". All times are 0 if the line has another form. See proc(5).
ProcessorTimes processor_times_in(const std::string& line, double ticks_per_s);

// Parts of the processors' time between two moments, 0 to 1.
struct Disturbance {
  double others = 0;  // other programs, and kernel threads such as those that write to the disk
  double host = 0;    // the host of a virtual machine
};

Disturbance disturbance_between(const ProcessorTimes& before, const ProcessorTimes& after);

// How many processors did nothing between two moments, on average. `processors`: those of the
// machine. 0 if it is not known.
double idle_processors_between(const ProcessorTimes& before, const ProcessorTimes& after,
                               double processors);

}  // namespace sluice
