"""Mutations of Result."""
from mutation import Mutation

RESULT = "src/core/result.cc"
ON_RESULTS = "Result*"

RESULTS = [
    Mutation("a failure comes with a value", RESULT,
             "  if (status.ok()) return value;\n", "  return value;\n", ON_RESULTS),
    Mutation("a Result of an ok Status has no value and no failure", RESULT,
             "  if (!status.ok()) return status;\n  return Status::failure(Operation::open, "
             "\"(nothing)\"",
             "  return status;\n  return Status::failure(Operation::open, \"(nothing)\"",
             ON_RESULTS),
    Mutation("a thrown failure forgets its Status", RESULT,
             "status.without_code()), status_(status) {}", "status.without_code()) {}",
             ON_RESULTS),
]
