/**
 * Recognises errors that stop programs of the nRF5 SDK. Source: nRF5 SDK,
 * `components/libraries/util/app_error_weak.c`. Its hard faults are in `cortex-m-rules.ts`.
 */
import { beginFault } from './cortex-m-rules.ts';
import { continued, mark, type PanicRule, panicAddress, withRegisters } from './panic-mark.ts';

export const nrf5Rules: readonly PanicRule[] = [
  {
    hint: 'ERROR \\d+ \\[',
    form: /^ERROR (\d{1,10}) \[(.{1,60})\] at (.{1,200}?:\d{1,7})$/,
    opening: /ERROR \d{1,10} \[NRF_/,
    explain([, number, name, place = ''], context) {
      beginFault(context);
      const error = name === 'Unknown error code' ? `error ${number}` : name;
      return mark('error-check', 'fault', `A call failed with ${error} at ${place}, and the program stopped.`);
    },
  },
  {
    hint: 'PC at: 0x',
    form: /^PC at: 0x([0-9a-f]{8})/i,
    explain: ([, digits = ''], { section }) =>
      // Most versions call the error handler without a program counter.
      section === 'cortex-m' && !/^0+$/.test(digits)
        ? continued(
            withRegisters(mark('registers', 'fault', undefined, [panicAddress(digits, 'exact', 'PC')]), {
              pc: Number.parseInt(digits, 16),
            }),
          )
        : undefined,
  },
  {
    hint: 'ASSERTION FAILED at ',
    form: /^ASSERTION FAILED at (.{1,200}?:\d{1,7})$/,
    opening: /ASSERTION FAILED at /,
    explain: ([, place = '']) => mark('assert', 'fault', `An assertion failed at ${place}.`),
  },
  {
    hint: 'SOFTDEVICE: ',
    form: /^SOFTDEVICE: (ASSERTION FAILED|INVALID MEMORY ACCESS)/,
    opening: /SOFTDEVICE: (?:ASSERTION|INVALID)/,
    explain: ([, what]) =>
      what === 'ASSERTION FAILED'
        ? mark(
            'assert',
            'fault',
            'The SoftDevice stopped: most often an interrupt of the program kept it waiting for too long.',
          )
        : mark('exception', 'fault', 'The program used memory or a peripheral that belongs to the SoftDevice.'),
  },
  {
    hint: 'UNKNOWN FAULT at',
    form: /^UNKNOWN FAULT at 0x([0-9a-f]{8})/i,
    opening: /UNKNOWN FAULT at 0x/,
    explain: ([, digits]) =>
      mark('abort', 'fault', 'The program reported an error of its own and stopped.', [
        panicAddress(digits, 'exact', 'PC'),
      ]),
  },
];
