/** The demo board with an RP2040 or RP2350: from the port of its program into BOOTSEL, written, and back. */
import { VirtualClock } from '@wirebench/clock';
import { RpBoard, rpFirmware, rpFirmwareUf2 } from '@wirebench/devices/rp';
import { loadFamily } from '@wirebench/flasher/callers';
import { buildImage } from '@wirebench/flasher/file-systems';
import { runOn } from '@wirebench/flasher/testing';
import { describe, expect, it } from 'vitest';
import { type ButtonBoard, connectBoard } from './button-board.ts';
import { createDemoBoard } from './demo.ts';

const never = new AbortController().signal;

describe.each(['rp2040', 'rp2350'] as const)('the demo board with %s', (deviceModel) => {
  it('is reached from its port, written and verified, and starts its program', async () => {
    const clock = new VirtualClock(1_000_000);
    const demo = createDemoBoard([{ deviceFamily: 'rp', deviceModel }], clock);
    const port = await runOn(clock, demo?.board.port ?? Promise.reject());
    const steps: string[] = [];
    const connecting = loadFamily('rp').then((family) =>
      connectBoard(family, {
        clock,
        signal: never,
        source: { kind: 'serial', port },
        chosen: {},
        isDemo: true,
        baudRate: null,
        byHand: false,
        expectedId: null,
        usb: demo?.board.usb,
        returned: () => new Promise(() => undefined),
        onStep: (text) => steps.push(text),
      }),
    );
    const board: ButtonBoard = await runOn(clock, connecting);
    expect(steps).toContain('Asking the program to start the boot ROM');
    expect(board.facts).toMatchObject({ family: 'rp', model: deviceModel, connection: 'usb' });
    const bytes = rpFirmwareUf2({ chip: deviceModel, text: 'button\r\n', size: 9_000, demoOnly: true });
    const file = { name: 'app.uf2', address: 'https://maker.example/app.uf2', offset: 0, size: null, sha256: null };
    const plan = await runOn(
      clock,
      board.plan({
        files: [{ file, bytes }],
        model: deviceModel,
        guards: {},
        isDemoRelease: true,
        eraseAll: false,
        signal: never,
      }),
    );
    expect(plan.refusals).toEqual([]);
    const report = await runOn(
      clock,
      board.write({ signal: never, onStage: () => undefined, onEvent: () => undefined }),
    );
    expect(report).toMatchObject({ state: 'complete', written: 9_216 });
    await runOn(clock, board.restart());
    expect(board.over.aborted).toBe(true);
  });
});

describe('files of MicroPython that a release takes', () => {
  it('are offered as an archive', async () => {
    const clock = new VirtualClock(1_000_000);
    const area = { offset: 0xa_0000, size: 0x16_0000 };
    const files = [{ path: '/main.py', bytes: new TextEncoder().encode('print(1)\n') }];
    const board = new RpBoard({
      clock,
      bootsel: true,
      pace: 'none',
      content: [
        { offset: 0, data: rpFirmware({ text: 'old' }) },
        { offset: area.offset, data: buildImage('littlefs', area.size, files) },
      ],
    });
    await clock.advance(1_000);
    const family = await loadFamily('rp');
    const { device } = board;
    const connecting = connectBoard(family, {
      clock,
      signal: never,
      source: { kind: 'usb', device: device as never, gone: never },
      chosen: {},
      isDemo: true,
      baudRate: null,
      byHand: false,
      expectedId: null,
      usb: undefined,
      returned: () => new Promise(() => undefined),
      onStep: () => undefined,
    });
    const connected = await runOn(clock, connecting);
    const bytes = rpFirmwareUf2({ text: 'large', size: 700_000 });
    const file = { name: 'app.uf2', address: 'https://maker.example/app.uf2', offset: 0, size: null, sha256: null };
    const plan = await runOn(
      clock,
      connected.plan({
        files: [{ file, bytes }],
        model: 'rp2040',
        guards: {},
        isDemoRelease: false,
        eraseAll: false,
        signal: never,
      }),
    );
    expect(plan.warnings.map(({ code }) => code)).toEqual(['files-not-put-back']);
    expect(plan.lost).toMatchObject([{ name: 'rp2040-files-at-0x100A0000.zip', isPutBack: false }]);
    expect(plan.saved).toEqual(['rp2040-files-at-0x100A0000.zip']);
    const before = board.flash.read(0, 0x20_0000);
    const isFull = new Error('No room.');
    const write = (save?: () => Promise<void>) =>
      connected.write({ signal: never, save, onStage: () => undefined, onEvent: () => undefined });
    await expect(
      runOn(
        clock,
        write(() => Promise.reject(isFull)).catch((error: unknown) => error),
      ),
    ).resolves.toBe(isFull);
    await expect(
      runOn(
        clock,
        write().catch((error: unknown) => error),
      ),
    ).resolves.toMatchObject({ code: 'write-failed' });
    expect(board.flash.read(0, 0x20_0000)).toEqual(before);
    await runOn(
      clock,
      write(() => Promise.resolve()),
    );
    expect(connected.savedFiles).toMatchObject([{ name: 'rp2040-files-at-0x100A0000.zip' }]);
  });
});
