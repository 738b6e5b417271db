/**
 * Explains reset reasons that ROMs print. Numbers: `RESET_REASON` in the ROM's `rtc.h` of each chip (ESP-IDF,
 * `components/esp_rom`). ESP32, S2, S3, C2, C3, C5, C6, C61, H2 and P4 use the same numbers with different names.
 * ESP8266: Arduino core, "Boards", "Boot messages and modes".
 */
import { mark, type PanicRule, type PanicSeverity } from './panic-mark.ts';

interface ResetReason {
  readonly severity: PanicSeverity;
  readonly sentence: string;
}

const notice = (sentence: string): ResetReason => ({ severity: 'notice', sentence });
const warning = (sentence: string): ResetReason => ({ severity: 'warning', sentence });
const fault = (sentence: string): ResetReason => ({ severity: 'fault', sentence });

const software = notice('The program restarted the chip, on purpose or after a crash; the lines above show which.');
const bySwitch = notice('The chip started because power was applied or its reset pin was used.');
const timerWatchdog = fault(
  'A watchdog restarted the chip because the program hung: check for loops that never wait and for blocked interrupts.',
);
const rtcWatchdog = fault(
  'The RTC watchdog restarted the chip because it did not start, or hung in the panic handler: check flash, image and supply.',
);
const usb = notice('The computer restarted the chip over USB.');
const debuggerReset = notice('A debugger restarted the chip.');
const glitch = fault(
  'The chip restarted because its supply or clock had a glitch: check the supply and its capacitors.',
);

const resetReasons: Readonly<Record<number, ResetReason>> = {
  0: warning('The chip started and did not record why.'),
  1: bySwitch,
  3: software,
  4: timerWatchdog,
  5: notice('The chip woke up from deep sleep.'),
  6: notice('The host on the SDIO bus restarted the chip.'),
  7: timerWatchdog,
  8: timerWatchdog,
  9: rtcWatchdog,
  10: fault('The chip restarted because it detected tampering.'),
  11: timerWatchdog,
  12: software,
  13: rtcWatchdog,
  14: notice('The first processor core restarted the second one.'),
  15: fault(
    'The chip restarted because its supply voltage dropped: use a stronger supply and a shorter cable, check for short circuits.',
  ),
  16: rtcWatchdog,
  17: timerWatchdog,
  18: fault(
    'The super watchdog restarted the chip because even the RTC watchdog hung: check the supply and the clock.',
  ),
  19: glitch,
  20: fault('The chip restarted because reading its fuses failed: check the supply.'),
  21: usb,
  22: usb,
  23: glitch,
  24: debuggerReset,
  25: glitch,
  26: fault(
    'The processor locked up because an error occurred while another was being handled: check interrupts that use flash.',
  ),
};

/** Returns the reason for a number. On ESP32-P4, 23 is a restart over USB, which its ROM mentions in the name. */
function reasonOf(number: number, name: string): ResetReason {
  return (
    (/USB/.test(name) ? usb : resetReasons[number]) ??
    warning(`The chip gave reset reason ${number}, whose meaning depends on the chip.`)
  );
}

const downloadWait = 'It waits for new firmware: to run the program, release the boot pin and reset.';

const esp8266Causes: Readonly<Record<number, ResetReason>> = {
  0: warning('The chip started and did not record why.'),
  1: bySwitch,
  2: notice('The chip started because its reset pin was used, which also ends deep sleep.'),
  3: software,
  4: timerWatchdog,
};

/**
 * Explains a boot mode, a number formed by the pins GPIO15, GPIO0 and GPIO2 (4, 2 and 1). Undefined for a normal
 * start.
 */
function esp8266Mode(mode: number): string | undefined {
  switch (mode) {
    case 1:
      return downloadWait;
    case 3:
      return undefined;
    case 0:
    case 2:
      return 'GPIO2 was low, so it does not start: pull GPIO2 up.';
    default:
      return 'GPIO15 was high, so it starts from SDIO: pull GPIO15 down.';
  }
}

export const resetRules: readonly PanicRule[] = [
  {
    hint: 'rst:0x',
    form: /\brst:0x([0-9a-f]{1,2}) \(([^)]{0,40})\),boot:0x[0-9a-f]{1,3} \(([^)]{0,60})/i,
    opening: /rst:0x[0-9a-f]{1,2} \(/i,
    explain([, number = '', name = '', mode = '']) {
      const { severity, sentence } = reasonOf(Number.parseInt(number, 16), name);
      return mark('reset', severity, /DOWNLOAD/.test(mode) ? `${sentence} ${downloadWait}` : sentence);
    },
  },
  {
    hint: 'rst cause:',
    form: /\brst cause:(\d), boot mode:\((\d),\d{1,2}\)/,
    explain([, cause, mode]) {
      const { severity, sentence } = esp8266Causes[Number(cause)] ?? warning('The chip started.');
      const modeSentence = esp8266Mode(Number(mode));
      return mark('reset', severity, modeSentence === undefined ? sentence : `${sentence} ${modeSentence}`);
    },
  },
];
