import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AvrBootloader, avrBoardNames, avrBoards } from './boards.ts';
import { type AvrFault, type AvrStep, avrFaultKinds, avrSteps, seededAvrFault } from './faults.ts';
import type { AvrDeviceOptions } from './options.ts';
import { AvrHost, pattern } from './testing/avr-host.ts';

const sync = [0x30];
const right = '1410';

async function faulty(fault: AvrFault, options: Partial<AvrDeviceOptions> = {}) {
  return new AvrHost({ board: 'arduino-uno', content: 'empty', faults: [fault], ...options }).connect();
}

describe('a fault at a step', () => {
  it('occurs the n-th time, so many times', async () => {
    const host = await faulty({ at: 'sync', kind: 'drop-answer', nth: 2, times: 2 });
    const answers = [await host.v1(sync), await host.v1(sync), await host.v1(sync), await host.v1(sync)];
    expect(answers).toEqual([right, '', '', right]);
    expect(host.device.steps.get('sync')).toBe(4);
  });

  it('drop-answer writes the page, drop-command and error-answer do not', async () => {
    const dropped = await faulty({ at: 'write', kind: 'drop-answer' });
    expect(await dropped.v1Write(0, pattern(128))).toBe('');
    expect([...dropped.device.flash.read(0, 128)]).toEqual(pattern(128));
    const lost = await faulty({ at: 'write', kind: 'drop-command' });
    expect(await lost.v1Write(0, pattern(128))).toBe('');
    const refused = await faulty({ at: 'write', kind: 'error-answer' });
    expect(await refused.v1Write(0, pattern(128))).toBe('1411');
    for (const host of [lost, refused]) {
      expect(host.device.flash.programmedBytes).toBe(0);
      expect(await host.v1(sync)).toBe(right);
    }
  });

  it('damage-answer changes one bit, garbage precedes the answer, repeat-answer sends it twice', async () => {
    const damaged = BigInt(`0x${await (await faulty({ at: 'sync', kind: 'damage-answer' })).v1(sync)}`);
    expect((damaged ^ BigInt(`0x${right}`)).toString(2).match(/1/g)?.length).toBe(1);
    expect(await (await faulty({ at: 'sync', kind: 'garbage' })).v1(sync)).toMatch(new RegExp(`^..+${right}$`));
    expect(await (await faulty({ at: 'sync', kind: 'repeat-answer' })).v1(sync)).toBe(right + right);
  });

  it('late-answer waits, split-answer sends byte by byte', async () => {
    const late = await faulty({ at: 'sync', kind: 'late-answer', delay: 300 });
    expect(await late.v1(sync, 299)).toBe('');
    await late.clock.advance(2);
    expect([...late.terminal.bytes]).toEqual([0x14, 0x10]);
    const split = await faulty({ at: 'signature', kind: 'split-answer' });
    expect((await split.v1([0x75], 4)).length).toBe(4);
  });

  it('hang lasts until a reset', async () => {
    const host = await faulty({ at: 'sync', kind: 'hang' });
    expect(await host.v1(sync, 5_000)).toBe('');
    expect(host.device.state).toBe('crashed');
    await host.connect();
    expect(await host.v1(sync)).toBe(right);
  });

  it('unplug in the middle of a page leaves it half done', async () => {
    const fault = { at: 'write', kind: 'unplug', replugAfter: 200 } as const;
    const content = [{ address: 0, data: Uint8Array.from(pattern(128)) }];
    const host = await faulty(fault, { board: 'arduino-mega', content, profile: 'real-flash' });
    const pulled: (number | null)[] = [];
    host.device.onUnplug = (after) => {
      pulled.push(after);
      host.terminal.wired.detach();
    };
    await host.v2([0x01]);
    await host.v2([0x06, 0, 0, 0, 0]);
    await host.v2Write(pattern(256, 9), 0x13, 100);
    expect(pulled).toEqual([200]);
    expect(host.device.state).toBe('off');
    const page = [...host.device.flash.read(0, 256)];
    expect(page).not.toEqual(pattern(256, 9));
    expect(page.slice(0, 128)).not.toEqual(pattern(128));
  });

  it('occurs at each step of each bootloader', async () => {
    const v1: Partial<Record<AvrStep, (host: AvrHost) => Promise<string>>> = {
      sync: (host) => host.v1(sync),
      parameter: (host) => host.v1([0x41, 0x81]),
      enter: (host) => host.v1([0x50]),
      signature: (host) => host.v1([0x75]),
      universal: (host) => host.v1([0x56, 0, 0, 0, 0]),
      address: (host) => host.v1([0x55, 0, 0]),
      write: (host) => host.v1([0x64, 0, 2, 0x46, 1, 2]),
      read: (host) => host.v1([0x74, 0, 2, 0x46]),
      'write-eeprom': (host) => host.v1([0x64, 0, 2, 0x45, 1, 2]),
      'read-eeprom': (host) => host.v1([0x74, 0, 2, 0x45]),
      leave: (host) => host.v1([0x51]),
    };
    const v2: Partial<Record<AvrStep, (host: AvrHost) => Promise<string>>> = {
      sync: (host) => host.v2([1]),
      parameter: (host) => host.v2([3, 0x90]),
      enter: (host) => host.v2([0x10]),
      signature: (host) => host.v2([0x1b, 0, 0, 0, 0]),
      universal: (host) => host.v2([0x1d, 4, 4, 0, 0x30, 0, 0, 0]),
      fuses: (host) => host.v2([0x18, 0, 0x50, 0]),
      erase: (host) => host.v2([0x12]),
      address: (host) => host.v2([6, 0, 0, 0, 0]),
      write: (host) => host.v2Write([1, 2]),
      read: (host) => host.v2([0x14, 0, 2, 0]),
      'write-eeprom': (host) => host.v2Write([1, 2], 0x15),
      'read-eeprom': (host) => host.v2([0x16, 0, 2, 0]),
      leave: (host) => host.v2([0x11]),
    };
    const avr109: Partial<Record<AvrStep, (host: AvrHost) => Promise<string>>> = {
      sync: (host) => host.type('S'),
      parameter: (host) => host.type('V'),
      enter: (host) => host.type('P'),
      signature: (host) => host.type('s'),
      fuses: (host) => host.type('F'),
      erase: (host) => host.type('e'),
      address: (host) => host.type('A\0\0'),
      write: (host) => host.type('B\0\x02Fab'),
      read: (host) => host.type('g\0\x02F'),
      'write-eeprom': (host) => host.type('B\0\x02Eab'),
      'read-eeprom': (host) => host.type('g\0\x02E'),
      leave: (host) => host.type('E'),
    };
    const requests = { optiboot: v1, 'atmega-boot': v1, 'stk500-v2': v2, caterina: avr109 } satisfies Record<
      AvrBootloader,
      typeof v1
    >;
    for (const board of avrBoardNames) {
      const { bootloader } = avrBoards[board];
      for (const at of avrSteps[bootloader]) {
        for (const kind of avrFaultKinds) {
          const host = await faulty({ at, kind, times: Number.POSITIVE_INFINITY }, { board });
          host.device.onUnplug = () => host.terminal.wired.detach();
          await requests[bootloader][at]?.(host);
          expect([board, at, host.device.steps.get(at)]).toEqual([board, at, 1]);
          expect(host.device.state).toMatch(kind === 'unplug' ? /off/ : kind === 'hang' ? /crashed/ : /boot/);
        }
      }
    }
  });
});

describe('a fault by seed', () => {
  it('is reproducible, and within the chosen kinds and steps', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const choice = { at: avrSteps.optiboot, kinds: ['hang', 'unplug'], latest: 2 } as const;
        const fault = seededAvrFault(seed, choice);
        expect(seededAvrFault(seed, choice)).toEqual(fault);
        expect(choice.at).toContain(fault.at);
        expect(choice.kinds).toContain(fault.kind);
        expect([1, 2]).toContain(fault.nth);
      }),
    );
    const kinds = Array.from({ length: 500 }, (_, seed) => seededAvrFault(seed, { at: ['sync'] }).kind);
    expect(new Set(kinds)).toEqual(new Set(avrFaultKinds));
  });
});

describe('noise', () => {
  it('leaves any board able to answer after a reset', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...avrBoardNames),
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }),
        async (board, noise) => {
          const host = await new AvrHost({ board }).connect();
          for (const bytes of noise) {
            host.terminal.wired.send(bytes);
            await host.clock.advance(20);
          }
          await host.connect();
          expect(host.device.state).toBe('bootloader');
          const first = { optiboot: '3020', 'atmega-boot': '3020', 'stk500-v2': '1b0100010e0114', caterina: '53' };
          const request = first[avrBoards[board].bootloader];
          expect(await host.send([...Buffer.from(request, 'hex')])).not.toBe('');
        },
      ),
      { numRuns: 40 },
    );
  });
});
