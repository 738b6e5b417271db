// Templates, virtual calls and lambdas without a standard library.
namespace app {
template <class Value>
struct Box {
  Value value;
  explicit Box(Value start) : value(start) {}
  Value get() const { return value; }
  template <class Other>
  Other as() {
    return static_cast<Other>(value);
  }
};

struct Base {
  virtual int run(int) = 0;
};

struct Shape : Base {
  int sides;
  int run(int x) override { return x + sides; }
} shape;

namespace {
int hidden(int x) {
  auto scale = [x](int y) { return x + y; };
  return scale(x + 1);
}
}  // namespace

int use(Base &base, int x) {
  Box<int> wide(x);
  Box<short> narrow(static_cast<short>(x));
  return base.run(wide.get()) + hidden(narrow.as<int>());
}
}  // namespace app

extern "C" void _start() {
  volatile int sum = 0;
  for (;;) {
    sum = sum + app::use(app::shape, sum);
  }
}

extern "C" void __cxa_pure_virtual() {
  for (;;) {
  }
}
