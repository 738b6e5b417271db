import { describe, expect, it } from 'vitest';
import { crc32 } from '../../digests/crc32.ts';
import { appSubtype, bootVectors, otaStateNumbers, type VectorEntry } from '../testing/boot-choices.ts';
import { candidates } from './app-choice.ts';
import type { Partition } from './partitions.ts';

const otaData: Partition = { label: 'otadata', type: 1, subtype: 0, offset: 0, size: 0x2000 };

function layout(slots: number, hasFactory: boolean): Partition[] {
  const app = (subtype: number) => ({
    label: `app ${subtype}`,
    type: 0,
    subtype,
    offset: 0x10000 + subtype * 0x1000,
    size: 0x1000,
  });
  return [otaData, ...(hasFactory ? [app(0)] : []), ...Array.from({ length: slots }, (_, slot) => app(0x10 + slot))];
}

/** OTA data in memory. */
class Flash {
  readonly #bytes = new Uint8Array(0x2000).fill(0xff);
  readonly read = (offset: number, length: number) => this.#bytes.slice(offset, offset + length);
  readonly rewrite = (offset: number, bytes: Uint8Array) => {
    this.#bytes.fill(0xff, offset, offset + 0x1000).set(bytes, offset);
  };

  constructor(entries: readonly [VectorEntry, VectorEntry]) {
    for (const [index, entry] of entries.entries()) {
      if (entry !== null) {
        const [sequence, state, isIntact] = entry;
        const view = new DataView(this.#bytes.buffer, index * 0x1000, 32);
        view.setUint32(0, sequence, true);
        view.setUint32(24, otaStateNumbers[state], true);
        view.setUint32(
          28,
          crc32(this.#bytes.slice(index * 0x1000, index * 0x1000 + 4), 0xffffffff) ^ (isIntact ? 0 : 1),
          true,
        );
      }
    }
  }

  /** Sequence numbers and states of both entries. */
  get entries(): number[][] {
    return [0, 0x1000].map((at) => {
      const view = new DataView(this.#bytes.buffer, at);
      return [view.getUint32(0, true), view.getUint32(24, true)];
    });
  }
}

const order = (flash: Flash, partitions: readonly Partition[], rollback: boolean) =>
  (candidates(flash, partitions, rollback) ?? []).map(({ partition }) => partition.subtype);

describe('the choice of a bootloader', () => {
  it.each(bootVectors)('is as documented: $when', ({ slots, hasFactory, entries, withRollback, without }) => {
    const partitions = layout(slots, hasFactory);
    const first = [true, false].map((rollback) => order(new Flash(entries), partitions, rollback)[0]);
    expect(first).toEqual([appSubtype(withRollback), appSubtype(without)]);
  });

  it('goes down from the chosen slot to the factory app, then up', () => {
    expect(order(new Flash([[2, 'valid', true], null]), layout(4, true), false)).toEqual([0x11, 0x10, 0, 0x12, 0x13]);
  });

  it('puts a new app on trial, and gives it up at the next start', () => {
    const flash = new Flash([
      [1, 'valid', true],
      [2, 'new', true],
    ]);
    const first = order(flash, layout(2, false), true)[0];
    expect([first, flash.entries[1]]).toEqual([0x11, [2, otaStateNumbers.pending]]);
    const second = order(flash, layout(2, false), true)[0];
    expect([second, flash.entries[1]]).toEqual([0x10, [2, otaStateNumbers.aborted]]);
  });

  it('writes nothing without rollback', () => {
    const flash = new Flash([
      [1, 'pending', true],
      [2, 'new', true],
    ]);
    candidates(flash, layout(2, false), false);
    expect(flash.entries).toEqual([
      [1, otaStateNumbers.pending],
      [2, otaStateNumbers.new],
    ]);
  });

  it('notes the slot that it has loaded in OTA data as the factory leaves them', () => {
    const flash = new Flash([null, null]);
    candidates(flash, layout(2, false), false)?.[1]?.note();
    expect(flash.entries[0]).toEqual([2, otaStateNumbers.valid]);
    const withFactory = new Flash([null, null]);
    candidates(withFactory, layout(2, true), false)?.[1]?.note();
    expect(withFactory.entries[0]).toEqual([0xffffffff, 0xffffffff]);
  });

  it('is given up for OTA data of a single sector', () => {
    const [, ...apps] = layout(2, true);
    expect(candidates(new Flash([null, null]), [{ ...otaData, size: 0x1000 }, ...apps], false)).toBeNull();
  });
});
