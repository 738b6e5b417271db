/* Streams that run until they are stopped: periodic measurements of ADC1, and changes of levels. */
#include "probe.h"

#define MAXIMUM_CHANNELS 8
#define MAXIMUM_BATCH 400
/* Maximum duration of a measurement in microseconds, and the value of one that did not finish. */
#define MEASUREMENT_LIMIT 1000
#define NO_MEASUREMENT 0xf000

static struct {
  uint32_t period;
  uint16_t batch;
  uint8_t channels, reserved;
  uint8_t channel[MAXIMUM_CHANNELS];
  /* The request ends above. Cycle counter at the last measurement, and at the first one of a frame. */
  uint32_t last, first;
  uint32_t next, count;
  uint16_t measurements[MAXIMUM_BATCH];
} adc;

static struct {
  uint32_t pins[2], interval;
  /* The request ends above. Cycle counter at the last report, and its levels. */
  uint32_t last, before[2];
} watch;
#define ADC_REQUEST 16
#define WATCH_REQUEST 12

/*
 * Request: {u32 microseconds between measurements, u16 measurements in a frame, u8 channels, u8 0, 8 channels}. No
 * channels end the stream.
 */
unsigned start_adc(unsigned length) {
  (void)length;
  keep_request(&adc, ADC_REQUEST);
  adc.next = adc.count = 0;
  int is_possible = adc.channels <= MAXIMUM_CHANNELS && adc.batch - 1u < MAXIMUM_BATCH;
  for (unsigned index = 0; is_possible && index < adc.channels; index++) {
    is_possible = adc.channel[index] < ADC_CHANNELS;
  }
  adc.channels = is_possible ? adc.channels : 0;
  return is_possible ? OK : OUT_OF_RANGE;
}

/* Event: {u16 channel << 12 | measurement} each. The value is the cycle counter at the first measurement. */
void serve_adc(void) {
  unsigned now = cycles();
  if (adc.channels == 0 || !has_passed(adc.last, adc.period)) {
    return;
  }
  adc.last = now;
  if (adc.count == 0) {
    adc.first = now;
  }
  unsigned channel = adc.channel[adc.next];
  int result;
  adc_start(channel);
  while ((result = adc_result()) < 0 && !has_passed(now, MEASUREMENT_LIMIT)) {
    poll();
  }
  adc.measurements[adc.count++] = result < 0 ? NO_MEASUREMENT : channel << 12 | result;
  if (++adc.next == adc.channels) {
    adc.next = 0;
  }
  if (adc.count == adc.batch) {
    adc.count = 0;
    send_frame(ADC_SAMPLES, adc.first, adc.measurements, adc.batch * 2, OK);
  }
}

/*
 * Request: {u32 pins 0 to 31, u32 pins from 32, u32 minimum microseconds between reports}. No pins end the watch. The
 * levels are reported at once.
 */
unsigned start_watch(unsigned length) {
  (void)length;
  keep_request(&watch, WATCH_REQUEST);
  watch.last = cycles() - watch.interval * cycles_per_microsecond;
  /* Inverts the levels, so that the first comparison finds a change. */
  for (unsigned bank = 0; bank < BANKS; bank++) {
    watch.before[bank] = ~peek(GPIO_IN + bank * 4);
  }
  return OK;
}

/* Event: {u32 levels of pins 0 to 31, u32 of pins from 32 if the chip has them}. The value is the cycle counter. */
void serve_watch(void) {
  unsigned now = cycles();
  unsigned changed = 0;
  uint32_t levels[2];
  if (!has_passed(watch.last, watch.interval)) {
    return;
  }
  for (unsigned bank = 0; bank < BANKS; bank++) {
    levels[bank] = peek(GPIO_IN + bank * 4);
    changed |= (levels[bank] ^ watch.before[bank]) & watch.pins[bank];
  }
  if (changed == 0) {
    return;
  }
  for (unsigned bank = 0; bank < BANKS; bank++) {
    watch.before[bank] = levels[bank];
  }
  watch.last = now;
  send_frame(LEVELS, now, levels, BANKS * 4, OK);
}
