/** Connecting to simulated boards in BOOTSEL: both chips, what they report, and every reason why it fails. */

import { randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { flashStart } from '../files/index.ts';
import type { RpInfo } from '../rp-board.ts';
import { rpFailureText } from '../rp-failure.ts';
import { codeOf, RpRig } from '../testing/rp-rig.ts';
import type { RpBoardOptions } from '../testing/simulated-rp.ts';

const MIB = 1_048_576;
const content = [{ offset: 0, data: randomBytes(9_000) }];

describe('a board in BOOTSEL', () => {
  it.each([
    [{}, { chip: 'RP2040', revision: 'B2', uniqueId: null, cpu: 'arm', secureBoot: null, flashSize: 2 * MIB }],
    [{ revision: 'B1' }, { revision: 'B1', romVersion: 2 }],
    [{ content, flashSize: 16 * MIB }, { flashSize: 16 * MIB }],
    [
      { content: [{ offset: 3 * MIB, data: content[0]?.data ?? new Uint8Array(1) }], flashSize: 4 * MIB },
      { flashSize: 4 * MIB },
    ],
    [{ content: 'empty' }, { flashSize: null }],
    [{ chip: 'rp2350' }, { chip: 'RP2350', cpu: 'arm', secureBoot: false, flashSize: 4 * MIB }],
  ] as const satisfies readonly (readonly [Partial<RpBoardOptions>, Partial<RpInfo>])[])(
    'reports what its ROM answers: %#',
    async (options, info) => {
      const rig = new RpRig({ pace: 'none', ...options });
      const board = await rig.connect();
      expect(board.info).toMatchObject(info);
      expect(rig.device.flash.erasedBytes + rig.device.flash.programmedBytes).toBe(0);
      await rig.run(board.close());
    },
  );

  it('has a unique id if it is an RP2350, and another one is refused', async () => {
    const rig = new RpRig({ pace: 'none', chip: 'rp2350' });
    const board = await rig.connect();
    expect(board.info.uniqueId).toMatch(/^[\dA-F]{16}$/);
    await rig.run(board.close());
    const expectedUniqueId = '0000000000000001';
    expect(await rig.run(codeOf(rig.connecting({ expectedUniqueId })))).toBe('other-board');
  });

  it('is found by its interface if its maker has given it other ids', async () => {
    const whiteLabel = { vendorId: 0x1209, productId: 0xabcd };
    const rig = new RpRig({ pace: 'none', chip: 'rp2350', whiteLabel });
    const board = await rig.connect();
    expect([rig.device.device?.vendorId, board.info.chip]).toEqual([0x1209, 'RP2350']);
  });

  it('gives the drive back when it is closed', async () => {
    const rig = new RpRig({ pace: 'none' });
    const board = await rig.connect();
    await rig.run(board.close());
    const file = await rig.run(rig.device.drive.getFileHandle('INFO_UF2.TXT'));
    expect(await rig.run(file.getFile().then((one) => one.text()))).toContain('RPI-RP2');
  });

  it('is written, erased and restarted on both chips', async () => {
    for (const chip of ['rp2040', 'rp2350'] as const) {
      const rig = new RpRig({ pace: 'none', chip });
      const board = await rig.connect();
      const bytes = randomBytes(30_000);
      await rig.run(board.write([{ offset: flashStart + 0x1_0000, bytes }]));
      expect(rig.flash(flashStart + 0x1_0000, bytes.length)).toEqual(Uint8Array.from(bytes));
      await rig.run(board.erase([{ offset: flashStart + 0x1_0000, length: 0x8000 }]));
      expect(rig.flash(flashStart + 0x1_0000, 0x8000).every((byte) => byte === 0xff)).toBe(true);
      rig.device.holdBootsel(false);
      await rig.run(board.restart());
      expect(board.over.aborted).toBe(true);
      await rig.clock.advance(2_000);
      expect(rig.device.state).toBe('running');
      await rig.run(board.close());
    }
  });
});

describe('a board that cannot be reached', () => {
  it('has no driver: the words name interface 1, offer the drive, and say what to undo', async () => {
    const rig = new RpRig({ pace: 'none', isHeld: true });
    await rig.clock.advance(1_000);
    expect(await rig.run(codeOf(rig.connecting()))).toBe('usb-driver');
    const { what, remedy } = rpFailureText['usb-driver'];
    expect(what).toContain('interface 1 of "RP2 Boot"');
    expect(remedy).toMatch(/^Copy the file to the drive/);
    expect(remedy).toContain('never for interface 0');
    expect(remedy).toContain('If the drive is gone');
  });

  it('runs its program', async () => {
    const rig = new RpRig({ pace: 'none', bootsel: false });
    await rig.clock.advance(1_000);
    expect(await rig.run(codeOf(rig.connecting()))).toBe('usb-not-picoboot');
  });

  it('ends at once when it is cancelled', async () => {
    const rig = new RpRig();
    await rig.clock.advance(1_000);
    const abort = new AbortController();
    const start = rig.clock.now();
    rig.clock.schedule(5, () => abort.abort());
    expect(await rig.run(codeOf(rig.connecting({ signal: abort.signal })))).toBe('cancelled');
    expect(rig.clock.now() - start).toBeLessThan(200);
  });
});

describe('file systems in flash', () => {
  it('are found by their first blocks', async () => {
    const { buildImage } = await import('../../file-systems/index.ts');
    const files = [{ path: '/boot.py', bytes: new TextEncoder().encode('# boot') }];
    const littlefs = buildImage('littlefs', 0x16_0000, files);
    const fat = buildImage('fat', 0x4_0000, []);
    const rig = new RpRig({
      pace: 'none',
      content: [
        { offset: 0, data: randomBytes(8_000) },
        { offset: 0x5_0000, data: fat },
        { offset: 0xa_0000, data: littlefs },
      ],
    });
    const board = await rig.connect();
    expect(board.info.users).toEqual([
      // Behind the first sector of the wear levelling that this image has.
      { name: 'a FAT file system', offset: 0x5_1000, size: expect.any(Number), kind: 'fat' },
      {
        name: 'the files of MicroPython (LittleFS)',
        offset: 0xa_0000,
        size: 0x16_0000,
        kind: 'littlefs',
        system: 'micropython',
      },
    ]);
  });
});
