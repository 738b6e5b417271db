// A C++ program with templates, lambdas, virtual calls, exceptions and the standard library.
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

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

class Shape {
 public:
  virtual ~Shape() {}
  virtual int area(int side) { return side + 1; }
  std::string name;
  int operator()(const std::vector<int> &sides) {
    int sum = 0;
    std::for_each(sides.begin(), sides.end(), [&](int side) { sum += area(side); });
    return sum;
  }
};

namespace {
int hidden(int x) {
  struct Local {
    int triple(int y) { return y * 3; }
  } local;
  return local.triple(x);
}
}  // namespace
}  // namespace app

int main(int count, char **) {
  std::vector<int> sides{3, 1, count};
  std::sort(sides.begin(), sides.end());
  app::Shape shape;
  app::Box<long> box(shape(sides));
  try {
    std::printf("%d %ld\n", box.as<int>(), box.get() + app::hidden(sides.at(count)));
  } catch (const std::exception &error) {
    std::puts(error.what());
  }
}
