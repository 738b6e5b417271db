/** Ends of commands on a board that no command itself decides: a board that is silent or not there. */
import { firstUnlessLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { plugged, ran } from '../testing/monitored-port.ts';
import { hasSocat } from '../testing/served-board.ts';

describe.runIf(hasSocat)('a board that says nothing', { timeout: 60_000 }, () => {
  it.each(firstUnlessLong(['stm', 'avr', 'nrf', 'esp']))(
    'ends with 3, and what was tried is said: %s',
    async (family) => {
      const { path } = await plugged();
      const { code, text } = await ran('erase', path, '--yes', '--family', family);
      expect(code, text).toBe(3);
      expect(text).toMatch(/Tried: Opening the port, .+\. Nothing on the board was changed\.\n$/);
      // Without a terminal, no person is asked for a button.
      expect(text).not.toContain('Press the reset button of the board now');
    },
  );
});
