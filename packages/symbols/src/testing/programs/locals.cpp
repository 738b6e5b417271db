// Variables of C++ in the frames of a program that crashes.
namespace board {
enum class Mode : unsigned char { idle, busy = 7 };

struct Device {
  int id;
  virtual int read(int channel) = 0;
  explicit Device(int number) : id(number) {}
};

template <typename Value> struct Range {
  Value low, high;
  bool holds(Value value) const { return value >= low && value <= high; }
};

volatile int limit = 3;
volatile int sink;

struct Sensor : Device {
  Range<int> range;
  Mode mode = Mode::busy;
  Sensor(int number, int low, int high) : Device(number), range{low, high} {}
  __attribute__((noinline)) int read(int channel) override {
    const auto &bounds = range;
    bool held = bounds.holds(channel);
    auto scale = [held, channel](int factor) {
      if (factor == limit) {
        __builtin_trap();
      }
      return channel * factor + held;
    };
    return scale(limit) + static_cast<int>(mode);
  }
};

__attribute__((noinline)) int poll(Device &device, Range<short> &&window) {
  Device *pointer = &device;
  int total = pointer->read(window.high);
  sink = total + window.low;
  return total;
}
} // namespace board

extern "C" void __cxa_pure_virtual() { __builtin_trap(); }

extern "C" void app_main() {
  for (;;) {
    board::Sensor sensor(12, -5, 90);
    board::sink = board::poll(sensor, board::Range<short>{-2, 44});
  }
}

__asm__(".section .start, \"ax\"\n"
        ".globl _start\n"
        "_start:\n"
        "  la sp, stack_top\n"
        "  li ra, 0\n"
        "  tail app_main\n"
        ".text\n");
