// The lost-error handler of the C interface.
#include "sluice/lost_error.h"

#include <atomic>
#include <new>

#include "c/error.h"
#include "sluice/c.h"

namespace sluice::c {
namespace {

// A handler with its context. The C++ interface passes one pointer on: the pointer to a Handler.
struct Handler {
  sluice_lost_error_handler call;
  void* context;
  const Handler* next;
};

// The handlers that were ever set. None is ever removed, because a thread may be about to call it.
// There is no lock: in a forked child, another thread of the parent could hold it for ever.
constinit std::atomic<const Handler*> handlers = nullptr;

const Handler* find(sluice_lost_error_handler call, void* context) noexcept {
  for (const Handler* handler = handlers.load(); handler != nullptr; handler = handler->next) {
    if (handler->call == call && handler->context == context) return handler;
  }
  return nullptr;
}

const Handler* add(sluice_lost_error_handler call, void* context) noexcept {
  auto* const handler = new (std::nothrow) Handler{call, context, handlers.load()};
  if (handler == nullptr) return nullptr;
  while (!handlers.compare_exchange_weak(handler->next, handler)) {
  }
  return handler;
}

void pass_on(const Status& status, void* context) {
  const auto* const handler = static_cast<const Handler*>(context);
  sluice_error error;
  describe(status, &error);
  handler->call(&error, handler->context);
}

}  // namespace
}  // namespace sluice::c

bool sluice_set_lost_error_handler(sluice_lost_error_handler call, void* context) {
  if (call == nullptr) {
    sluice::set_lost_error_handler(nullptr);
    return true;
  }
  const sluice::c::Handler* handler = sluice::c::find(call, context);
  if (handler == nullptr) handler = sluice::c::add(call, context);
  if (handler == nullptr) return false;
  sluice::set_lost_error_handler(sluice::c::pass_on, const_cast<sluice::c::Handler*>(handler));
  return true;
}
