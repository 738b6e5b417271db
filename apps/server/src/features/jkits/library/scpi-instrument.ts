/** Instruments with SCPI over a serial line: IEEE 488.2-1992, chapter 10 (`*` commands) and SCPI-1999, volumes 1 and 2. */
import type { LibraryJkit } from './library-jkit.ts';

export const scpiInstrument: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c00c',
  name: 'SCPI instrument: identify, measure, set',
  description:
    'Multimeters, power supplies and loads with a serial port: identity, errors and status, self-test, measuring voltage, current and resistance, setting a supply to 3.3 V and 0.5 A. Some instruments listen only after SYST:REM. Check what is connected before you send OUTP ON.',
  tags: ['SCPI', 'IEEE 488.2', 'multimeter', 'power supply', 'instrument', 'RS-232'],
  content: {
    settings: { lineEnding: false },
    fields: [
      { content: '*IDN?', expect: ',' },
      'SYST:REM',
      '*CLS',
      { content: 'SYST:ERR?', expect: ',' },
      'SYST:VERS?',
      '*ESR?',
      '*STB?',
      { content: '*OPC?', expect: '1', timeoutMs: 10_000 },
      '*TST?',
      'MEAS:VOLT:DC?',
      'MEAS:VOLT:AC?',
      'MEAS:CURR:DC?',
      'MEAS:RES?',
      'CONF:VOLT:DC',
      'READ?',
      'VOLT 3.3',
      'CURR 0.5',
      'VOLT?',
      'CURR?',
      'OUTP ON',
      'OUTP?',
      'MEAS:VOLT?',
      'MEAS:CURR?',
      'OUTP OFF',
      'SYST:LOC',
    ],
  },
};
