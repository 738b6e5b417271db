/** Crash reports as a terminal sends them. */
import { randomUUID } from 'node:crypto';
import type { NewCrashReport } from '@wirebench/contract';

export function crashReport(changes: Partial<NewCrashReport> = {}): NewCrashReport {
  return {
    id: randomUUID(),
    fingerprint: '0123456789abcdef',
    chip: 'ESP32-C3',
    chipRevision: 301,
    build: '5f1c7a90b',
    cause: 'Load access fault',
    details: '',
    tasks: [
      {
        name: 'main',
        crashed: true,
        stackUsed: 592,
        stackSize: 4_092,
        frames: [
          { pc: 0x4200_8a3c, guess: false, places: [{ function: 'read_sensor', file: 'main.c', line: 42 }] },
          { pc: 0x4200_0100, guess: true, places: [] },
        ],
      },
    ],
    memory: null,
    ...changes,
  };
}

/** Returns a fingerprint that is distinct for each `number`. */
export const fingerprint = (number: number): string => number.toString(16).padStart(16, '0');
