#include "benchmarks/report.h"

#include <iomanip>
#include <sstream>

#include "benchmarks/results.h"

namespace bench {
namespace {

constexpr int kTitleWidth = 36, kCellWidth = 20;

struct Column {
  const char* quantity;
  const char* title;
  const char* unit;
  int digits;       // After the decimal point.
  double expected;  // Upper bound for our own rows, 0 for none.
};

constexpr Column kColumns[] = {
    {"hot", "hot", "ratio", 2, 1.20},
    {"cold", "cold", "ratio", 2, 1.20},
    {"warm", "all, warm", "ratio", 2, 0},
    {"load", "load", "ratio", 2, 1.50},
    {"bare", "load, no libdl", "ratio", 2, 0},
    {"further", "further call", "ns", 0, 1000},
    {"lookup", "further / dlsym", "ratio", 2, 0},
    {"first", "first call", "us", 0, 0},
};

std::string heading(const Column& column) {
  const std::string unit = column.unit;
  return column.title + (unit == "ratio" ? "" : ", " + unit);
}

std::string cell(const Spread& value, int digits) {
  if (value.median == 0) return "-";
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << value.median << " (" << value.low << "-"
      << value.high << ")";
  return out.str();
}

void write_verdict(const Samples& samples, const Row& row, std::ostream& out) {
  std::ostringstream missed;
  bool complete = true;
  for (const Column& column : kColumns) {
    if (column.expected == 0) continue;
    const double median = samples.spread(row.design, column.quantity).median;
    if (median == 0) complete = false;
    if (median <= column.expected) continue;
    missed << (missed.str().empty() ? "" : ", ") << column.title << " " << std::fixed
           << std::setprecision(column.digits) << median;
  }
  out << "  " << row.title << ": ";
  if (!missed.str().empty()) {
    out << "missed in this run: " << missed.str() << "\n";
  } else {
    out << (complete ? "met in this run\n" : "met in this run as far as it was measured\n");
  }
}

void save_row(const Samples& samples, const Row& row) {
  for (const Column& column : kColumns) {
    save_result(row.design, column.title, column.unit, samples.spread(row.design, column.quantity),
                {row.is_ours ? column.expected : 0});
  }
}

}  // namespace

void write_table(const Samples& samples, const std::vector<Row>& rows, std::ostream& out) {
  out << "\nMedian (quartiles). hot to load: ratios to direct calls of the same functions, made in "
         "turn.\n"
      << std::left << std::setw(kTitleWidth) << "";
  for (const Column& column : kColumns) out << std::setw(kCellWidth) << heading(column);
  out << "\n";
  for (const Row& row : rows) {
    save_row(samples, row);
    out << std::setw(kTitleWidth) << row.title;
    for (const Column& column : kColumns) {
      out << std::setw(kCellWidth)
          << cell(samples.spread(row.design, column.quantity), column.digits);
    }
    out << "\n";
  }
  out << "Expected at most: hot 1.20, cold 1.20, load 1.50, further call 1000 ns.\n";
  for (const Row& row : rows) {
    if (row.is_ours) write_verdict(samples, row, out);
  }
}

}  // namespace bench
