/** Checks that lines that only resemble parts of a crash have no mark. */
import { describe, expect, it } from 'vitest';
import { PanicRecogniser } from './panic-recogniser.ts';

describe('a line of an ordinary log', () => {
  it.each([
    'HardFault handler installed',
    'Bus fault recovery enabled, default on',
    'I2C bus fault count: 3',
    'R0 = 4.7 kOhm',
    'R0: 12, R1: 13, R2: 14',
    'PC: connected',
    'pc = 12',
    'lr: 0.001',
    'Location: 0x1858',
    'Current thread: 0x20000410 (main)',
    'Reason: timeout',
    'Backtrace:',
    '0x42001234',
    'Error Message:',
    'call trace:',
    'a0: 12 t0: 13',
    'the test panicked at the end',
    '{"Exception":"none"}',
    'Sensor fault',
    'Fatal error in line 3',
  ])('%s', (line) => {
    expect(new PanicRecogniser().line(line)).toBeUndefined();
  });
});
