/** One bit of one answer is wrong. Answers are not protected on the wire, so a verdict needs two of them. */
import type { EspChipName, EspStep } from '@wirebench/devices';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitIntoRegions } from '../../core/region.ts';
import { noise } from '../../testing/program.ts';
import { differences, expectedAfter, fullFlash } from '../../testing/untouched.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';
import { comparedHash, isSameHash } from './flash-memory.ts';

beforeAll(loadAllChips, 60_000);

const SIZE = 0x4_0000;
const before = fullFlash(SIZE);
const image = noise(12_000);
/**
 * One region with the stub, where a single wrong hash would cause a second write. Two regions without it, so that
 * neighbours could be confused.
 */
const regionsFor = (stub: boolean) => splitIntoRegions(0x1_0000, image, stub ? 0x4000 : 0x2000);
const seeds = Array.from({ length: 6 }, (_, index) => index + 1);

interface Damage {
  readonly chip: EspChipName;
  readonly stub: boolean;
  readonly entry: 'automatic' | 'buttons';
  readonly at: EspStep;
  readonly nth: number;
  readonly seed: number;
}

/** Writes while one bit of one answer is damaged. */
async function writeDamaged({ chip, stub, entry, at, nth, seed }: Damage) {
  const rig = new EspRig({
    chip,
    seed,
    pace: 'none',
    faults: [{ at, kind: 'damage-answer', nth }],
    flash: { size: SIZE, content: [{ offset: 0, data: before }] },
    ...(entry === 'buttons' && { powerUp: 'download' }),
  });
  const board = await rig.connect({ stub, entry });
  return { rig, board, report: await rig.run(board.write(regionsFor(stub))) };
}

const ways = [
  ['esp32', false],
  ['esp32c3', false],
  ['esp32c3', true],
  ['esp8266', true],
] as const;

describe.each(['automatic', 'buttons'] as const)('one wrong bit in an answer, %s', (entry) => {
  it.each(ways)(
    'in a hash never spoils a good write: %s, stub %s',
    async (chip, stub) => {
      const count = (await writeDamaged({ chip, stub, entry, at: 'md5', nth: 1_000, seed: 1 })).rig.device.commands.get(
        0x13,
      );
      for (let nth = 1; nth <= (count ?? 0); nth++) {
        for (const seed of seeds) {
          const what = `answer ${nth} of ${count}, seed ${seed}`;
          const { rig, report } = await writeDamaged({ chip, stub, entry, at: 'md5', nth, seed });
          expect(report, what).toMatchObject({ state: 'complete', repeated: 0 });
          expect(differences(rig.flash(0, SIZE), expectedAfter(before, regionsFor(stub))), what).toEqual([]);
        }
      }
    },
    120_000,
  );

  it.each(ways)(
    'in the connection never changes the identity of the board: %s, stub %s',
    async (chip, stub) => {
      const steps: EspStep[] = chip === 'esp8266' ? ['read-reg'] : ['read-reg', 'security-info'];
      for (const at of steps) {
        for (let nth = 1; nth <= (at === 'read-reg' ? 24 : 1); nth++) {
          for (const seed of seeds.slice(0, 2)) {
            const { board, report } = await writeDamaged({ chip, stub, entry, at, nth, seed });
            expect(report, `${at} ${nth}, seed ${seed}`).toMatchObject({ state: 'complete' });
            const { mac, flash, chip: found, security } = board.info;
            expect({ mac: mac?.toLowerCase(), size: flash?.size, found, encrypted: security.flashEncryption }).toEqual({
              mac: new EspRig({ chip, seed }).device.mac.toLowerCase(),
              size: SIZE,
              found: chip,
              encrypted: false,
            });
          }
        }
      }
    },
    120_000,
  );
});

describe('comparison of two hashes', () => {
  it('finds the same bytes if a few digits differ, and other bytes if most do', () => {
    const hash = '0123456789abcdef0123456789abcdef';
    expect(isSameHash(hash, hash)).toBe(true);
    expect(isSameHash(hash, `f${hash.slice(1)}`)).toBe(true);
    expect(isSameHash(hash, 'd41d8cd98f00b204e9800998ecf8427e')).toBe(false);
  });

  it('finds a difference only if the chip gives another hash twice', async () => {
    const before = '0123456789abcdef0123456789abcdef';
    const other = 'd41d8cd98f00b204e9800998ecf8427e';
    const compared = (...answers: string[]) => comparedHash(before, async () => answers.shift() ?? 'not expected');
    expect(await compared(before)).toBe(before);
    expect(await compared(`f${before.slice(1)}`)).toBe(before);
    expect(await compared(other, before)).toBe(before);
    expect(await compared(other, other)).toBe(other);
  });
});
