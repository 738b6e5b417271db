import { type AvrBoardName, avrBoardNames, avrFirmware } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { carryOutMemory } from '../../core/memory-plan.ts';
import type { UnrestoredFlash } from '../../core/unrestored.ts';
import { buildIntelHex } from '../../images/testing/formats.ts';
import { noise } from '../../testing/program.ts';
import { readAvrFile } from '../file/read-avr-file.ts';
import { planAvr } from '../plan/plan-avr.ts';
import { AvrRig } from '../testing/avr-rig.ts';

const names = avrBoardNames;
const boards = {
  'arduino-uno': { part: 'ATmega328P', protocol: 'stk500v1', bootloader: 'optiboot', at: 0x7e00, hasEeprom: false },
  'arduino-nano': { part: 'ATmega328P', protocol: 'stk500v1', bootloader: 'atmegaboot', at: 0x7800, hasEeprom: true },
  'arduino-mega': { part: 'ATmega2560', protocol: 'stk500v2', bootloader: 'stk500boot', at: 0x3e000, hasEeprom: true },
  'arduino-leonardo': { part: 'ATmega32U4', protocol: 'avr109', bootloader: 'caterina', at: 0x7000, hasEeprom: true },
} satisfies Record<AvrBoardName, object>;

describe.each(names)('a simulated %s', (name) => {
  const { at, ...known } = boards[name];

  it('is known', async () => {
    const rig = new AvrRig({ board: name });
    const board = await rig.connect();
    expect(board.info).toMatchObject(known);
    expect(board.info.bootloaderRange?.offset).toBe(at);
    expect(board.info.fuses === null).toBe(known.protocol === 'stk500v1');
    expect(rig.steps.at(-1)).toBe('ready');
    await rig.run(board.close());
  });

  it('is written, read back, and left alone when nothing changed', async () => {
    const rig = new AvrRig({ board: name, profile: 'real-flash' });
    const board = await rig.connect();
    const sketch = noise(9_001);
    const report = await rig.run(board.write([{ offset: 0, bytes: sketch }]));
    expect(report).toMatchObject({ state: 'complete', written: sketch.length, same: 0, repeated: 0 });
    expect(rig.flash(0, sketch.length)).toEqual(sketch);
    const again = await rig.run(board.write([{ offset: 0, bytes: sketch }]));
    expect(again).toMatchObject({ written: 0, same: sketch.length });
    expect(again.regions).toMatchObject([{ outcome: 'same', proof: { kind: 'read-back' } }]);
    const read = await rig.run(board.read({ offset: 101, length: 777 }));
    expect(read).toEqual(sketch.subarray(101, 878));
    await rig.run(board.close());
  });

  it('keeps what shares a page with a region, and what lies between regions', async () => {
    const before = noise(4_000, 3);
    const rig = new AvrRig({ board: name, content: [{ address: 0, data: before }] });
    const board = await rig.connect();
    const regions = [
      { offset: 10, bytes: noise(5, 4) },
      { offset: 3_001, bytes: noise(200, 5) },
    ];
    const report = await rig.run(board.write(regions));
    const expected = before.slice();
    for (const { offset, bytes } of regions) {
      expected.set(bytes, offset);
    }
    expect(rig.flash(0, 4_000)).toEqual(expected);
    expect(report.kept.length).toBeGreaterThan(0);
    await rig.run(board.close());
  });

  it('writes one changed page of a large sketch', async () => {
    const sketch = avrFirmware({ size: 20_000 });
    const rig = new AvrRig({ board: name, content: [{ address: 0, data: sketch }] });
    const board = await rig.connect();
    const changed = sketch.slice();
    changed[10_000] = (changed[10_000] ?? 0) ^ 0xff;
    const report = await rig.run(board.write([{ offset: 0, bytes: changed }]));
    expect(report.written).toBe(board.info.pageSize);
    expect(rig.flash(0, changed.length)).toEqual(changed);
    await rig.run(board.close());
  });

  it('compares few pages of a sketch that is all new, and all pages again behind a long change', async () => {
    const before = noise(20_480, 3);
    const rig = new AvrRig({ board: name, content: [{ address: 0, data: before }] });
    const board = await rig.connect();
    const { pageSize, writesInOrder } = board.info;
    const changed = Uint8Array.of(...noise(6_400, 7), ...before.subarray(6_400));
    const pages = 6_400 / pageSize;
    const report = await rig.run(board.write([{ offset: 0, bytes: changed }]));
    expect(rig.flash(0, changed.length)).toEqual(changed);
    expect(report.written).toBeGreaterThanOrEqual(6_400);
    expect(report.written).toBeLessThanOrEqual(6_400 + 16 * pageSize);
    const readsBefore = rig.device.steps.get('read') ?? 0;
    const all = noise(20_480, 8);
    await rig.run(board.write([{ offset: 0, bytes: all }]));
    expect(rig.flash(0, all.length)).toEqual(all);
    const reads = (rig.device.steps.get('read') ?? 0) - readsBefore;
    expect(pages).toBeGreaterThan(16);
    expect(reads).toBeLessThan(1.25 * (all.length / pageSize) + (writesInOrder ? 2 : 0));
    await rig.run(board.close());
  });

  it('reports progress that never decreases, and takes about as long as its plan says', async () => {
    const rig = new AvrRig({ board: name, profile: 'real-flash' });
    const board = await rig.connect();
    const { info, baudRate } = board;
    const bytes = noise(8_192, 6);
    const file = { ...readAvrFile(bytes, 'a.bin'), name: 'a.bin' };
    const { time } = planAvr({ files: [file], board: { info, isDemo: true, baudRate } });
    const events: Extract<WriteEvent, { type: 'progress' }>[] = [];
    const onEvent = (event: WriteEvent) => {
      if (event.type === 'progress') {
        events.push(event);
      }
    };
    const { duration } = await rig.run(board.write([{ offset: 0, bytes }], { onEvent }));
    expect(events.map(({ done }) => done)).toEqual(
      events.map(({ done }) => done).toSorted((one, other) => one - other),
    );
    expect(events.at(-1)).toMatchObject({ done: 8_192, total: 8_192 });
    expect([...new Set(events.map(({ phase }) => phase))]).toEqual(['comparing', 'writing', 'verifying']);
    expect(time).toBeGreaterThan(duration);
    expect(time).toBeLessThan(2.5 * duration);
    await rig.run(board.close());
  });

  it('starts its sketch', async () => {
    const rig = new AvrRig({ board: name });
    const board = await rig.connect();
    await rig.run(board.restart());
    await rig.run(board.close());
    await rig.clock.advance(2_000);
    expect(rig.device.state).not.toBe('bootloader');
  });
});

describe('a simulated arduino-mega', () => {
  it('is written across 128 KB by extended addresses', async () => {
    const rig = new AvrRig({ board: 'arduino-mega', pace: 'none' });
    const board = await rig.connect();
    const bytes = noise(0x2_0400, 12);
    await rig.run(board.write([{ offset: 0, bytes }]));
    expect(Buffer.compare(rig.flash(0, bytes.length), bytes)).toBe(0);
    await rig.run(board.close());
  });
});

describe('a simulated arduino-uno', () => {
  const sketch = noise(128, 17);

  /**
   * Writes a sketch of one page. In the first command of the write that starts with `code`, one bit is damaged.
   */
  async function writeDamaged(code: number, at: number, bit: number) {
    const rig = new AvrRig({ board: 'arduino-uno', pace: 'none' });
    const before = rig.flash(0, rig.device.flash.size);
    const board = await rig.connect();
    let damages = false;
    const receive = rig.device.receive.bind(rig.device);
    rig.device.receive = (bytes) => {
      const isDamaged = damages && bytes[0] === code;
      damages = damages && !isDamaged;
      receive(isDamaged ? bytes.with(at, (bytes[at] ?? 0) ^ bit) : bytes);
    };
    const onEvent = ({ type }: WriteEvent) => {
      damages ||= type === 'compared';
    };
    const report = await rig.run(board.write([{ offset: 0, bytes: sketch }], { onEvent }));
    await rig.run(board.close());
    return { rig, report, before };
  }

  it('reports damage when a wrong address on the wire has put a page elsewhere', async () => {
    // Load Address (STK500 v1): the bit moves the page by 128 words.
    const { rig, report } = await writeDamaged(0x55, 1, 0x80);
    expect(report).toMatchObject({ state: 'damaged', repeated: 1 });
    expect(rig.flash(0, 128)).toEqual(sketch);
    expect(rig.flash(256, 128)).toEqual(sketch);
  });

  it('reports no damage when a page was wrong in its own place and is written again', async () => {
    // Program Page (STK500 v1): a byte of the page.
    const { rig, report, before } = await writeDamaged(0x64, 10, 0x01);
    expect(report).toMatchObject({ state: 'complete', repeated: 1 });
    expect(rig.flash(0, 128)).toEqual(sketch);
    expect(rig.flash(128, before.length - 128)).toEqual(before.subarray(128));
  });
});

describe('a simulated arduino-leonardo', () => {
  it('has restarted when its port vanishes before the answer arrives', async () => {
    const rig = new AvrRig({ board: 'arduino-leonardo', faults: [{ at: 'leave', kind: 'drop-answer' }] });
    const board = await rig.connect();
    await rig.run(board.restart());
    expect(board.over.aborted).toBe(true);
    await rig.run(board.close());
    await rig.clock.advance(2_000);
    expect(rig.device.state).toBe('running');
  });
});

describe('a plan that is carried out', () => {
  it('writes flash and EEPROM, and writes back what an interrupted write left out', async () => {
    const before = noise(2_000, 14);
    const rig = new AvrRig({ board: 'arduino-nano', content: [{ address: 0, data: before }] });
    const name = 'a.hex';
    const file = { ...readAvrFile(avrHex(), name), name };
    const unrestored: UnrestoredFlash = { regions: [] };
    const carryOut = async (pull: boolean) => {
      const board = await rig.connect();
      const { info, baudRate } = board;
      const plan = planAvr({ files: [file], board: { info, isDemo: true, baudRate } });
      const onEvent = (event: WriteEvent) => {
        if (pull && event.type === 'progress' && event.phase === 'writing' && event.done > 0) {
          rig.demo.unplug();
        }
      };
      const stages: string[] = [];
      const { signal } = new AbortController();
      const work = carryOutMemory({ board, plan, unrestored, signal, onStage: (stage) => stages.push(stage), onEvent });
      try {
        return { report: await rig.run(work), stages };
      } finally {
        await rig.run(board.close());
      }
    };
    await expect(carryOut(true)).rejects.toMatchObject({ code: 'unplugged', state: 'incomplete' });
    expect(unrestored.regions).not.toEqual([]);
    rig.demo.replug();
    await rig.clock.advance(500);
    const { report, stages } = await carryOut(false);
    expect(report.state).toBe('complete');
    expect(stages).toEqual(['writing']);
    expect(unrestored.regions).toEqual([]);
    const expected = before.slice();
    expected.set(noise(700, 15), 100);
    expect(Buffer.compare(rig.flash(0, 2_000), expected)).toBe(0);
    expect(rig.device.eeprom.read(2, 9)).toEqual(noise(9, 16));
  });
});

/** Flash from the middle of a page on, and EEPROM. */
function avrHex(): Uint8Array {
  return buildIntelHex([
    { address: 100, bytes: noise(700, 15) },
    { address: 0x81_0002, bytes: noise(9, 16) },
  ]);
}
