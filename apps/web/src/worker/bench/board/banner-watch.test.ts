import { describe, expect, it } from 'vitest';
import { bannerIn } from './board-jobs.ts';

const help = 'Type "help()" for more information.';

describe('banner of a board', () => {
  it('is found behind noise of another baud rate', () => {
    expect(bannerIn(['\ufffdx\u0000MicroPython v1.27.0 on 2026-01-01; ESP32 module', help, '>>> '])).toBe(
      'MicroPython v1.27.0 on 2026-01-01; ESP32 module',
    );
  });

  it('is known by its second line when noise has swallowed the first', () => {
    expect(bannerIn(['\ufffd\ufffdthon v1.27.0 on', help, '>>> '])).toBe('MicroPython');
    expect(bannerIn(['x = 1', '>>> '])).toBeNull();
  });
});
