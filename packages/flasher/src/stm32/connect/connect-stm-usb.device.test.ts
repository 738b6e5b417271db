import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import { flashStart } from '../parts/flash-layout.ts';
import { StmUsbBench } from '../testing/stm-bench.ts';

const KIB = 1_024;

describe('an STM32 on USB', () => {
  it.each([
    ['stm32f407', 'STM32F2 or F4', 'stm32f', 12, '22.00'],
    ['stm32f072', 'STM32F0, F1 or F3', 'stm32f', 64, '22.00'],
    ['stm32h743', 'STM32H7', 'stm32h', 16, '2.00'],
    ['stm32l476', 'STM32G0, G4, L4 or WB1x', null, 512, '22.00'],
  ] as const)('%s tells its sectors, and what it may be', async (part, name, model, sectors, bootloaderVersion) => {
    const bench = new StmUsbBench({ part });
    const board = await bench.connect();
    expect(board.info).toMatchObject({ link: 'usb', productId: null, name, model, protection: 'none', uniqueId: null });
    expect(board.info).toMatchObject({ bootloaderVersion });
    expect(board.info.sectors).toHaveLength(sectors);
    expect(bench.steps).toEqual(['opening', 'identifying', 'ready']);
  });

  it.each(['stm32f407', 'stm32f072', 'stm32h743', 'stm32l476'] as const)(
    '%s is written, read back, and written once more without a change',
    async (part) => {
      const before = noise(1_000, 4);
      const bench = new StmUsbBench({ part, content: [{ address: flashStart, data: before }] });
      const board = await bench.connect();
      const image = noise(20_001);
      const report = await bench.run(board.write([{ offset: flashStart + 300, bytes: image }]));
      expect(report).toMatchObject({ state: 'complete', written: image.length, repeated: 0 });
      expect(report.kept[0]).toEqual({ offset: flashStart, length: 300 });
      expect(bench.flash(300, image.length)).toEqual(image);
      expect(bench.flash(0, 300)).toEqual(before.subarray(0, 300));
      expect(await bench.run(board.read({ offset: flashStart + 299, length: 4_000 }))).toEqual(bench.flash(299, 4_000));
      expect(await bench.run(board.write([{ offset: flashStart + 300, bytes: image }]))).toMatchObject({ written: 0 });
      await bench.run(board.close());
    },
  );

  it('is erased by sectors and as a whole', async () => {
    const bench = new StmUsbBench({ content: [{ address: flashStart, data: noise(40 * KIB) }] });
    const board = await bench.connect();
    await bench.run(board.erase([{ offset: flashStart + 16 * KIB, length: 1 }]));
    expect(new Set(bench.flash(16 * KIB, 16 * KIB))).toEqual(new Set([0xff]));
    expect(bench.flash(0, 16 * KIB)).toEqual(noise(40 * KIB).subarray(0, 16 * KIB));
    await bench.run(board.erase(null));
    expect(new Set(bench.flash(0, 48 * KIB))).toEqual(new Set([0xff]));
  });

  it('says that it is protected before anything is erased, and is free after the protection is removed', async () => {
    const bench = new StmUsbBench({ protection: 1, content: [{ address: flashStart, data: noise(KIB) }] });
    const board = await bench.connect();
    expect(board.info.protection).toBe('read-protected');
    await expect(bench.run(board.write([{ offset: flashStart, bytes: noise(64) }]))).rejects.toMatchObject({
      code: 'read-protected',
      state: 'unchanged',
    });
    await bench.run(board.removeReadProtection());
    await bench.run(board.close());
    await bench.clock.advance(60_000);
    const again = await bench.connect();
    expect(again.info.protection).toBe('none');
    expect(new Set(bench.flash(0, KIB))).toEqual(new Set([0xff]));
  });

  it('starts its program', async () => {
    const bench = new StmUsbBench({ content: 'factory' });
    const board = await bench.connect();
    await bench.run(board.restart());
    await bench.clock.advance(1_000);
    expect(bench.board.state).toBe('running');
    await expect(board.read({ offset: flashStart, length: 4 })).rejects.toMatchObject({ name: 'InvalidStateError' });
  });

  it('ends within a second when its cable is pulled, and goes on where it was', async () => {
    const bench = new StmUsbBench();
    const board = await bench.connect();
    const image = noise(200 * KIB);
    const writing = bench.run(board.write([{ offset: flashStart, bytes: image }]));
    bench.clock.schedule(700, () => bench.board.unplug());
    await expect(writing).rejects.toMatchObject({ code: 'unplugged', state: 'incomplete' });
    expect(bench.clock.now() - (bench.unpluggedAt ?? 0)).toBeLessThanOrEqual(1_010);
    await bench.run(board.close());
    bench.board.replug();
    const again = await bench.connect();
    const report = await bench.run(again.write([{ offset: flashStart, bytes: image }]));
    expect(report.same).toBeGreaterThan(0);
    expect(bench.flash(0, image.length)).toEqual(image);
  });

  it('goes on after a cancel', async () => {
    const bench = new StmUsbBench();
    const board = await bench.connect();
    const abort = new AbortController();
    const image = noise(100 * KIB);
    bench.clock.schedule(300, () => abort.abort());
    const writing = bench.run(board.write([{ offset: flashStart, bytes: image }], { signal: abort.signal }));
    await expect(writing).rejects.toMatchObject({ code: 'cancelled' });
    await bench.run(board.write([{ offset: flashStart, bytes: image }]));
    expect(bench.flash(0, image.length)).toEqual(image);
  });
});
