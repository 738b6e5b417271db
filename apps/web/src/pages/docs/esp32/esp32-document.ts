import type { DocsDocument } from '../docs-model.ts';
import { chips } from './chips.tsx';
import { fromRam } from './from-ram.tsx';
import { instruments } from './instruments.tsx';
import { reference } from './reference.tsx';
import { start } from './start.tsx';

export const esp32Document: DocsDocument = {
  title: 'ESP32 bench',
  lead: 'A spare ESP32 or ESP32-C3 as an instrument for your circuit: what it can do, how to wire it, what it refuses, and what to do when it does not work.',
  groups: [start, instruments, chips, fromRam, reference],
};
