/**
 * Faults at each step of PICOBOOT, by seed on the virtual clock. Every run ends with all bytes in flash or with a coded error,
 * no wait is longer than its limit, and the same board can be written afterwards.
 */

import { isLong, random, randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { deadlines, eraseLimit } from '../deadlines.ts';
import { flashStart } from '../files/index.ts';
import type { RpFailure } from '../rp-failure.ts';
import { codeOf, RpRig } from '../testing/rp-rig.ts';
import { type RpFault, type RpFaultKind, rpFaultKinds, rpSteps, seededRpFault } from '../testing/simulated-rp.ts';

const SEEDS = isLong ? 40 : 1;
const timeout = isLong ? 1_200_000 : 120_000;
const picobootSteps = rpSteps.filter((step) => !step.startsWith('drive'));
const kinds = rpFaultKinds.filter((kind) => kind !== 'write-error');

/** Faults after which the board is gone, or answers nothing until it gets power again. */
const lasting = /hang|unplug|brown-out|lost-request/;

/** Codes with which a run may end. */
const codes: readonly (RpFailure | 'ok')[] = [
  'ok',
  'unplugged',
  'stopped-answering',
  'refused',
  'stuck',
  'out-of-step',
];

/**
 * Longest run of a few sectors: its commands and the longest command that is waited for, a command that goes on, and the way
 * back with all its requests, three times.
 */
const LONGEST = 1_000 + 3 * (eraseLimit(8) + deadlines.stillRunning + 6 * deadlines.control);

/** Connects, writes, erases, reads and restarts. */
async function useBoard(rig: RpRig, bytes: Uint8Array): Promise<void> {
  const board = await rig.connecting();
  try {
    const report = await board.write([{ offset: flashStart + 300, bytes }]);
    expect(report.state).toBe('complete');
    expect(rig.flash(flashStart + 300, bytes.length)).toEqual(Uint8Array.from(bytes));
    await board.erase([{ offset: flashStart + 0x2_0000, length: 0x1000 }]);
    expect(rig.flash(flashStart + 0x2_0000, 0x1000).every((byte) => byte === 0xff)).toBe(true);
    await board.restart();
  } finally {
    await board.close();
  }
}

async function writeAgain(rig: RpRig, bytes: Uint8Array): Promise<void> {
  const board = await rig.connecting();
  await board.write([{ offset: flashStart, bytes }]);
  await board.close();
}

async function run(fault: RpFault, data: Uint8Array): Promise<{ code: string; time: number; rig: RpRig }> {
  const rig = new RpRig({ pace: 'none', content: [{ offset: 0, data }], faults: [fault] });
  await rig.clock.advance(1_000);
  const start = rig.clock.now();
  const code = await rig.run(codeOf(useBoard(rig, randomBytes(20_000))));
  return { code, time: (rig.unpluggedAt ?? rig.clock.now()) - start, rig };
}

describe('a fault of a simulated board', () => {
  const cases = kinds.flatMap((kind) => Array.from({ length: SEEDS }, (_, index) => [kind, index] as const));

  it.each(cases)(
    '%s ends with all bytes or a code, in time: %i',
    async (kind: RpFaultKind, index) => {
      const seed = random(`${kind} ${index}`).below(1_000_000);
      const fault = seededRpFault(seed, { kinds: [kind], at: picobootSteps, latest: 6 });
      const data = randomBytes(192 * 1_024);
      const { code, time, rig } = await run(fault, data);
      const named = JSON.stringify(fault);
      expect(codes, `${named}: ${code}`).toContain(code);
      expect(time, named).toBeLessThan(LONGEST);
      // The same board is written after it got power again. The board counts steps from there, so the fault may come again.
      const bytes = randomBytes(9_000);
      rig.device.holdBootsel(true);
      rig.device.replug();
      await rig.clock.advance(1_000);
      const next = await rig.run(codeOf(writeAgain(rig, bytes)));
      expect(['ok', ...codes.filter((one) => one === code || lasting.test(kind))], named).toContain(next);
      if (next === 'ok') {
        expect(rig.flash(flashStart, bytes.length)).toEqual(Uint8Array.from(bytes));
      }
    },
    timeout,
  );

  it.each(kinds.filter((kind) => !lasting.test(kind)))(
    '%s once is recovered from',
    async (kind: RpFaultKind) => {
      const steps = ['read', 'write', 'flash-erase'] as const;
      for (const at of steps) {
        const fault = seededRpFault(1, { kinds: [kind], at: [at], latest: 2 });
        if (fault.kind !== kind) {
          continue;
        }
        const { code } = await run({ ...fault, times: 1 }, randomBytes(192 * 1_024));
        expect(code, JSON.stringify(fault)).toBe('ok');
      }
    },
    timeout,
  );
});
