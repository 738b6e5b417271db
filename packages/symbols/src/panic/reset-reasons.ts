/**
 * Explains reset reasons that ROMs print, by their number and by what the log has before and after them.
 *
 * Numbers of the ESP32 family: `RESET_REASON` in the ROM's `rtc.h` of each chip (ESP-IDF 102122904 of 23 July 2026,
 * `components/esp_rom/<chip>/include/<chip>/rom/rtc.h`), for ESP32, S2, S3, S31, C2, C3, C5, C6, C61, H2, H21, H4 and P4.
 * They share the numbers, with different names. Two differ: 6 is the SDIO host on ESP32 and C6 and the power manager on
 * S31, and 23 is a glitch, but USB on P4 and S31. `npm run lists -- esp-resets` compares them with the file of any chip.
 * ESP8266: Arduino core 8da7b938, `doc/boards.rst`, "Boot messages and modes".
 */
import { mark, type PanicContext, type PanicMark, type PanicRule, type PanicSeverity } from './panic-mark.ts';

interface ResetReason {
  readonly severity: PanicSeverity;
  readonly sentence: string;
}

const notice = (sentence: string): ResetReason => ({ severity: 'notice', sentence });
const warning = (sentence: string): ResetReason => ({ severity: 'warning', sentence });
const fault = (sentence: string): ResetReason => ({ severity: 'fault', sentence });

const software = notice('The program restarted the chip, on purpose or after a crash; the lines above show which.');
const softwareAfterFault = notice('The program restarted the chip after the fault above.');
const bySwitch = notice('The chip started because power was applied or its reset pin was used.');
const timerWatchdog = fault(
  'A watchdog restarted the chip because the program hung: check for loops that never wait and for blocked interrupts.',
);
const rtcWatchdog = fault(
  'The RTC watchdog restarted the chip because it did not start, or hung in the panic handler: check flash, image and supply.',
);
const rtcWatchdogAfterFault = fault('The RTC watchdog restarted the chip because it hung after the fault above.');
const rtcWatchdogAtStart = fault(
  'The RTC watchdog restarted the chip because it did not start: check flash, image and supply.',
);
/** ESP32 Series SoC Errata, v3.0 of 11 October 2025, RES-3.1: revision 0, at power-up and wake-up, mended in v1.0. */
const spuriousWatchdog = notice(
  'The RTC watchdog restarted the chip directly after its start. ESP32 of revision 0 does so by itself (errata RES-3.1): it is no fault.',
);
const usb = notice('The computer restarted the chip over USB.');
const debuggerReset = notice('A debugger restarted the chip.');
const glitch = fault(
  'The chip restarted because its supply or clock had a glitch: check the supply and its capacitors.',
);
const powerManager = notice('The power manager switched the processor off and on again.');

const [POWER_ON, DEEP_SLEEP, RTC_WATCHDOG] = [1, 5, 16];

const resetReasons: Readonly<Record<number, ResetReason>> = {
  0: warning('The chip started and did not record why.'),
  [POWER_ON]: bySwitch,
  3: software,
  4: timerWatchdog,
  [DEEP_SLEEP]: notice('The chip woke up from deep sleep.'),
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
  [RTC_WATCHDOG]: rtcWatchdog,
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

/** Returns the sentence for a number of the ESP32 family; null for one that is not listed. */
export const resetSentence = (number: number): string | null => resetReasons[number]?.sentence ?? null;

/** Returns the reason for a number. The ROM's name decides where chips differ. */
function reasonOf(number: number, name: string): ResetReason {
  if (/USB/.test(name)) {
    return usb;
  }
  return (
    (/^PMU_CPU/.test(name) ? powerManager : resetReasons[number]) ??
    warning(
      `The chip restarted with reset code 0x${number.toString(16)}${name === '' ? '' : ` (${name})`}, which is not in Espressif's list of reset reasons.`,
    )
  );
}

/** Returns the reason with what the log has before the reset. */
function judged(number: number, name: string, { chip, start }: PanicContext): ResetReason {
  const reason = reasonOf(number, name);
  const isFirstEsp32 = start.isFirstRom && (chip === undefined || chip === 'esp32') && name === 'RTCWDT_RTC_RESET';
  start.isSpurious =
    number === RTC_WATCHDOG && isFirstEsp32 && (start.direct === POWER_ON || start.direct === DEEP_SLEEP);
  if (start.isSpurious) {
    return spuriousWatchdog;
  }
  if (reason === rtcWatchdog) {
    return start.hasFault ? rtcWatchdogAfterFault : start.direct === null ? rtcWatchdog : rtcWatchdogAtStart;
  }
  return reason === software && start.hasFault ? softwareAfterFault : reason;
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

/**
 * Returns the mark of a chip revision that has no errata RES-3.1, after a reset that was taken for it: the reset was a
 * fault after all.
 */
function revisionMark(revision: string, { start }: PanicContext): PanicMark | undefined {
  const isTaken = start.isSpurious;
  start.isSpurious = false;
  const major = Number.parseInt(revision, 10);
  return isTaken && major > 0
    ? {
        ...mark(
          'watchdog',
          'fault',
          `The chip has revision ${revision}, which does not restart by itself. ${rtcWatchdogAtStart.sentence}`,
        ),
        isOfStart: true,
      }
    : undefined;
}

export const resetRules: readonly PanicRule[] = [
  {
    hint: 'rst:0x',
    form: /\brst:0x([0-9a-f]{1,2}) \(([^)]{0,40})\),boot:0x[0-9a-f]{1,3} \(([^)]{0,60})/i,
    opening: /rst:0x[0-9a-f]{1,2} \(/i,
    explain([, digits = '', name = '', mode = ''], context) {
      const number = Number.parseInt(digits, 16);
      const { severity, sentence } = judged(number, name, context);
      context.start.direct = number;
      return mark('reset', severity, /DOWNLOAD/.test(mode) ? `${sentence} ${downloadWait}` : sentence);
    },
  },
  {
    hint: 'rst cause:',
    form: /\brst cause:(\d), boot mode:\((\d),\d{1,2}\)/,
    explain([, cause, mode], { start }) {
      const reason =
        esp8266Causes[Number(cause)] ??
        warning(`The chip started with reset cause ${cause}, which is not in the list of the ESP8266 Arduino core.`);
      const { severity, sentence } = reason === software && start.hasFault ? softwareAfterFault : reason;
      const modeSentence = esp8266Mode(Number(mode));
      return mark('reset', severity, modeSentence === undefined ? sentence : `${sentence} ${modeSentence}`);
    },
  },
  {
    // ESP-IDF's bootloader and start code: `chip revision: v1.0`, before version 5 `chip revision: 1`.
    hint: 'hip revision: ',
    form: /\bchip revision: (v?\d{1,2}(?:\.\d{1,2})?)/i,
    explain: ([, revision = ''], context) => revisionMark(revision.replace('v', ''), context),
  },
];
