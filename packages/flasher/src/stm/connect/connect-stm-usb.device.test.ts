import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import { flashStart } from '../parts/flash-layout.ts';
import { StmUsbRig } from '../testing/stm-rig.ts';

const KIB = 1_024;

describe('an STM32 on USB', () => {
  it.each([
    ['stm32f407', 'STM32F2 or F4', 'stm32f', 12, '22.00'],
    ['stm32f072', 'STM32F0, F1 or F3', 'stm32f', 64, '22.00'],
    ['stm32h743', 'STM32H7', 'stm32h', 16, '2.00'],
    ['stm32l476', 'STM32G0, G4, L4 or WB1x', null, 512, '22.00'],
  ] as const)('%s tells its sectors, and what it may be', async (part, name, model, sectors, bootloaderVersion) => {
    const rig = new StmUsbRig({ part });
    const board = await rig.connect();
    expect(board.info).toMatchObject({ link: 'usb', productId: null, name, model, protection: 'none', uniqueId: null });
    expect(board.info).toMatchObject({ bootloaderVersion });
    expect(board.info.sectors).toHaveLength(sectors);
    expect(rig.steps).toEqual(['opening', 'identifying', 'ready']);
  });

  it.each(['stm32f407', 'stm32f072', 'stm32h743', 'stm32l476'] as const)(
    '%s is written, read back, and written once more without a change',
    async (part) => {
      const before = noise(1_000, 4);
      const rig = new StmUsbRig({ part, content: [{ address: flashStart, data: before }] });
      const board = await rig.connect();
      const image = noise(20_001);
      const report = await rig.run(board.write([{ offset: flashStart + 300, bytes: image }]));
      expect(report).toMatchObject({ state: 'complete', written: image.length, repeated: 0 });
      expect(report.kept[0]).toEqual({ offset: flashStart, length: 300 });
      expect(rig.flash(300, image.length)).toEqual(image);
      expect(rig.flash(0, 300)).toEqual(before.subarray(0, 300));
      expect(await rig.run(board.read({ offset: flashStart + 299, length: 4_000 }))).toEqual(rig.flash(299, 4_000));
      expect(await rig.run(board.write([{ offset: flashStart + 300, bytes: image }]))).toMatchObject({ written: 0 });
      await rig.run(board.close());
    },
  );

  it.each([0, 1, 7])('is refused before anything is changed if its blocks have %i bytes', async (transferSize) => {
    const rig = new StmUsbRig({ transferSize });
    await expect(rig.connect()).rejects.toMatchObject({ name: 'StmError', code: 'size-unusable', state: 'unchanged' });
  });

  it('is erased by sectors and as a whole', async () => {
    const rig = new StmUsbRig({ content: [{ address: flashStart, data: noise(40 * KIB) }] });
    const board = await rig.connect();
    await rig.run(board.erase([{ offset: flashStart + 16 * KIB, length: 1 }]));
    expect(new Set(rig.flash(16 * KIB, 16 * KIB))).toEqual(new Set([0xff]));
    expect(rig.flash(0, 16 * KIB)).toEqual(noise(40 * KIB).subarray(0, 16 * KIB));
    await rig.run(board.erase(null));
    expect(new Set(rig.flash(0, 48 * KIB))).toEqual(new Set([0xff]));
  });

  it('says that it is protected before anything is erased, and is free after the protection is removed', async () => {
    const rig = new StmUsbRig({ protection: 1, content: [{ address: flashStart, data: noise(KIB) }] });
    const board = await rig.connect();
    expect(board.info.protection).toBe('read-protected');
    await expect(rig.run(board.write([{ offset: flashStart, bytes: noise(64) }]))).rejects.toMatchObject({
      code: 'read-protected',
      state: 'unchanged',
    });
    await rig.run(board.removeReadProtection());
    await rig.run(board.close());
    await rig.clock.advance(60_000);
    const again = await rig.connect();
    expect(again.info.protection).toBe('none');
    expect(new Set(rig.flash(0, KIB))).toEqual(new Set([0xff]));
  });

  it('starts its program', async () => {
    const rig = new StmUsbRig({ content: 'factory' });
    const board = await rig.connect();
    await rig.run(board.restart());
    await rig.clock.advance(1_000);
    expect(rig.board.state).toBe('running');
    await expect(board.read({ offset: flashStart, length: 4 })).rejects.toMatchObject({ name: 'InvalidStateError' });
  });

  it('ends within a second when its cable is pulled, and goes on where it was', async () => {
    const rig = new StmUsbRig();
    const board = await rig.connect();
    const image = noise(200 * KIB);
    const writing = rig.run(board.write([{ offset: flashStart, bytes: image }]));
    rig.clock.schedule(700, () => rig.board.unplug());
    await expect(writing).rejects.toMatchObject({ code: 'unplugged', state: 'incomplete' });
    expect(rig.clock.now() - (rig.unpluggedAt ?? 0)).toBeLessThanOrEqual(1_010);
    await rig.run(board.close());
    rig.board.replug();
    const again = await rig.connect();
    const report = await rig.run(again.write([{ offset: flashStart, bytes: image }]));
    expect(report.same).toBeGreaterThan(0);
    expect(rig.flash(0, image.length)).toEqual(image);
  });

  it('goes on after a cancel', async () => {
    const rig = new StmUsbRig();
    const board = await rig.connect();
    const abort = new AbortController();
    const image = noise(100 * KIB);
    rig.clock.schedule(300, () => abort.abort());
    const writing = rig.run(board.write([{ offset: flashStart, bytes: image }], { signal: abort.signal }));
    await expect(writing).rejects.toMatchObject({ code: 'cancelled' });
    await rig.run(board.write([{ offset: flashStart, bytes: image }]));
    expect(rig.flash(0, image.length)).toEqual(image);
  });
});
