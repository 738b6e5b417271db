/**
 * The simulated board that every port picker offers: the commands of its shell (`packages/devices`,
 * `chatty/commands.ts`).
 */
import type { LibraryJkit } from './library-jkit.ts';

const PROMPT = 'demo> ';

export const demoBoard: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c00e',
  name: 'Demo board: everything it can do',
  description:
    'For the demo board in the port picker: pick it, connect, load this JKit and run it from top to bottom. Help, board details, I2C bus, analog inputs, sensors, text in several scripts, a restart.',
  tags: ['demo', 'wirebench', 'first steps', 'I2C', 'ADC'],
  content: {
    settings: { lineEnding: true },
    fields: [
      { content: 'help', expect: PROMPT },
      { content: 'info', expect: PROMPT },
      { content: 'i2cscan', expect: PROMPT },
      { content: 'adc', expect: PROMPT },
      { content: 'adc 0 10 100', expect: PROMPT, timeoutMs: 3_000 },
      { content: 'sensors on', expect: PROMPT, delayMs: 5_000 },
      { content: 'sensors off', expect: PROMPT },
      { content: 'utf8', expect: PROMPT },
      { content: 'binary', expect: PROMPT },
      { content: 'reboot', expect: PROMPT, timeoutMs: 5_000 },
    ],
  },
};
