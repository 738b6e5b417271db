/*
 * The probe: a RAM program that turns an ESP32 or ESP32-C3 into an instrument. A client loads it, or the ROM loads it
 * from flash. It is one loop, and every wait in it calls poll().
 */
#include "probe.h"

/*
 * Switches the watchdogs off, because the program does not feed them. This includes the one that protects the start
 * from flash and would reset the chip.
 */
static void stop_watchdogs(void) {
  static const struct pair watchdogs[] = WATCHDOGS;
  for (unsigned index = 0; index < sizeof watchdogs / sizeof watchdogs[0]; index++) {
    poke(watchdogs[index].last, WATCHDOG_KEY);
    poke(watchdogs[index].first, WATCHDOG_OFF);
    poke(watchdogs[index].last, 0);
  }
#ifdef SUPER_WATCHDOG
  poke(SUPER_WATCHDOG_PROTECTION, SUPER_WATCHDOG_KEY);
  poke(SUPER_WATCHDOG, peek(SUPER_WATCHDOG) | SUPER_WATCHDOG_FEEDS_ITSELF);
  poke(SUPER_WATCHDOG_PROTECTION, 0);
#endif
}

int main(void) {
  stop_watchdogs();
  use_crystal(USUAL_CRYSTAL);
  greet();
  for (;;) {
    poll();
    receive();
    serve_bridge();
    serve_watch();
    serve_adc();
    serve_capture();
  }
}
