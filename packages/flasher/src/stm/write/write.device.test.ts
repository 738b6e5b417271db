import { stmFirmware } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { readMemoryFile } from '../../images/formats/memory-file.ts';
import { noise } from '../../testing/program.ts';
import { stmEntries } from '../an3155/entry.ts';
import { flashStart } from '../parts/flash-layout.ts';
import { planStm } from '../plan/plan-stm.ts';
import type { StmError } from '../stm-failure.ts';
import { StmRig } from '../testing/stm-rig.ts';

const KIB = 1_024;
const at = (offset: number, bytes: Uint8Array) => ({ offset: flashStart + offset, bytes });

const parts = [
  ['stm32f103', 'STM32F10x medium-density', 'F1'],
  ['stm32f072', 'STM32F07x', 'F0'],
  ['stm32f407', 'STM32F405/407/415/417', 'F4'],
  ['stm32g071', 'STM32G07x/08x', 'G0'],
  ['stm32h743', 'STM32H74x/75x', 'H7'],
  ['stm32l053', 'STM32L05x/06x', 'L0'],
  ['stm32l476', 'STM32L47x/48x', 'L4'],
] as const;

describe('a simulated part over UART', () => {
  it.each(parts)('%s is recognised', async (part, name, family) => {
    const rig = new StmRig({ part });
    const { info } = await rig.connect();
    expect(info).toMatchObject({ name, family, protection: 'none', uniqueId: rig.device.uniqueId });
    expect(info.flashSize).toBe(rig.device.flash.size);
    expect(info.sectors.reduce((sum, { length }) => sum + length, 0)).toBe(info.flashSize);
    const protection = info.optionBytes?.fields.find((field) => field.name === 'RDP');
    expect(protection?.meaning ?? 'Not protected').toMatch(/[Nn]ot protected/);
  });

  it.each(parts)('%s is written, read back, and left alone when nothing changed', async (part) => {
    const before = noise(20 * KIB, 4);
    const rig = new StmRig({ part, content: [{ address: flashStart, data: before }] });
    const board = await rig.connect();
    const image = noise(9_001);
    const report = await rig.run(board.write([at(700, image)]));
    expect(report).toMatchObject({ state: 'complete', written: image.length, repeated: 0 });
    const expected = before.slice();
    expected.set(image, 700);
    expect(Buffer.compare(rig.flash(0, expected.length), expected)).toBe(0);
    const again = await rig.run(board.write([at(700, image)]));
    expect(again).toMatchObject({ written: 0, same: image.length });
    expect(again.regions).toMatchObject([{ outcome: 'same', proof: { kind: 'read-back' } }]);
  });

  it.each(parts)('%s is erased by sectors and as a whole', async (part) => {
    const rig = new StmRig({ part, content: [{ address: flashStart, data: noise(40 * KIB) }] });
    const board = await rig.connect();
    const { sectors, erasedValue } = board.info;
    const [first] = sectors;
    await rig.run(board.erase([{ offset: flashStart, length: 1 }]));
    const end = (first?.length ?? 0) > 40 * KIB ? 40 * KIB : (first?.length ?? 0);
    expect(new Set(rig.flash(0, end))).toEqual(new Set([erasedValue]));
    if (end < 40 * KIB) {
      expect(rig.flash(end, 64)).toEqual(noise(40 * KIB).subarray(end, end + 64));
    }
    await rig.run(board.erase(null));
    expect(new Set(rig.flash(0, 40 * KIB))).toEqual(new Set([erasedValue]));
  });

  it.each(['usual', 'swapped', 'direct', 'direct-swapped'] as const)('is entered with %s wires', async (name) => {
    const wiring = {
      usual: 'dtr-reset',
      swapped: 'rts-reset',
      direct: 'dtr-reset-direct',
      'direct-swapped': 'rts-reset-direct',
    } as const;
    const rig = new StmRig({ wiring: wiring[name], content: 'factory' });
    const board = await rig.connect({ entry: stmEntries[name] });
    await rig.run(board.restart());
    await rig.clock.advance(100);
    expect(rig.device.state).toBe('running');
  });

  it.each(parts)('%s, empty before, starts the written program', async (part) => {
    const rig = new StmRig({ part });
    const board = await rig.connect();
    await rig.run(board.write([at(0, stmFirmware({ text: 'hello\r\n' }))]));
    await rig.run(board.restart());
    await rig.clock.advance(300);
    expect(rig.device.state).toBe('running');
  });

  it('is not entered with other wires, and is reported as running its program', async () => {
    const rig = new StmRig({ wiring: 'rts-reset-direct', content: 'factory' });
    const failure = await rig.connect({ entry: stmEntries.direct }).catch((error: unknown) => error);
    expect(['in-application', 'no-answer']).toContain((failure as StmError).code);
  });

  it('is entered by hand, and started by Go', async () => {
    const rig = new StmRig({ wiring: 'by-hand', content: 'factory' });
    rig.device.setBoot0(true);
    rig.device.pressReset();
    const board = await rig.connect({ entry: stmEntries.manual });
    await rig.run(board.restart());
    await rig.clock.advance(100);
    expect(rig.device.state).toBe('running');
  });

  it.each([1_200, 9_600, 57_600, 230_400, 921_600])('answers at %i baud', async (baudRate) => {
    const rig = new StmRig();
    const board = await rig.connect({ baudRate });
    expect(board.baudRate).toBe(baudRate);
    await rig.run(board.write([at(0, noise(300))]));
    expect(rig.flash(0, 300)).toEqual(noise(300));
  });

  it('falls back to 115,200 baud where the bootloader cannot measure more', async () => {
    const rig = new StmRig({ highestRate: 230_400 });
    const board = await rig.connect({ baudRate: 921_600 });
    expect(board.baudRate).toBe(115_200);
  });

  it('uses the checksum of a bootloader that has one, and reads almost nothing', async () => {
    const rig = new StmRig({ part: 'stm32g071', checksum: true });
    const board = await rig.connect();
    const report = await rig.run(board.write([at(0, noise(16 * KIB))]));
    expect(report.regions[0]?.proof?.kind).toBe('crc32');
    // Writing twice the bytes would take 3 s.
    expect(report.duration).toBeLessThan(2_000);
    const again = await rig.run(board.write([at(0, noise(16 * KIB))]));
    expect(again.duration).toBeLessThan(200);
  });
});

describe('protection', () => {
  it.each([
    'stm32f103',
    // This part refuses twice.
    'stm32f407',
  ] as const)(
    'read protection is reported before an erase; its removal erases and frees the part: %s',
    async (part) => {
      const rig = new StmRig({ part, protection: 1, content: [{ address: flashStart, data: noise(KIB) }] });
      const board = await rig.connect();
      expect(board.info).toMatchObject({ protection: 'read-protected', flashSize: null });
      await expect(rig.run(board.write([at(0, noise(64))]))).rejects.toMatchObject({
        code: 'read-protected',
        state: 'unchanged',
      });
      expect(rig.flash(0, KIB)).toEqual(noise(KIB));
      await rig.run(board.removeReadProtection());
      await rig.run(board.close());
      const again = await rig.connect();
      expect(again.info.protection).toBe('none');
      expect(new Set(rig.flash(0, KIB))).toEqual(new Set([0xff]));
      await rig.run(again.write([at(0, noise(KIB))]));
    },
  );

  it('is not removed if the part has none', async () => {
    const rig = new StmRig({ content: [{ address: flashStart, data: noise(KIB) }] });
    const board = await rig.connect();
    await expect(rig.run(board.removeReadProtection())).rejects.toMatchObject({ name: 'InvalidStateError' });
    expect(rig.flash(0, KIB)).toEqual(noise(KIB));
  });

  it('write protection is reported, although the bootloader acknowledges the write', async () => {
    const content = [{ address: flashStart, data: noise(8 * KIB) }];
    const rig = new StmRig({ writeProtected: [0, 1, 2, 3], content });
    const board = await rig.connect();
    const writing = rig.run(board.write([at(0, noise(2 * KIB, 5))]));
    await expect(writing).rejects.toMatchObject({ code: 'write-protected' });
    await expect(rig.run(board.erase([{ offset: flashStart, length: 4 }]))).rejects.toMatchObject({
      code: 'write-protected',
    });
    expect(rig.flash(0, 8 * KIB)).toEqual(noise(8 * KIB));
    await rig.run(board.removeWriteProtection());
    await rig.run(board.close());
    const again = await rig.connect();
    await rig.run(again.write([at(0, noise(2 * KIB, 5))]));
    expect(rig.flash(0, 2 * KIB)).toEqual(noise(2 * KIB, 5));
    expect(rig.flash(2 * KIB, 6 * KIB)).toEqual(noise(8 * KIB).subarray(2 * KIB));
  });
});

describe('an interrupted write', () => {
  it('continues where it was, and restores bytes that shared a sector', async () => {
    const before = noise(20 * KIB, 6);
    const rig = new StmRig({ part: 'stm32f407', content: [{ address: flashStart, data: before }] });
    const board = await rig.connect();
    const image = noise(18 * KIB);
    rig.clock.schedule(3_700, () => rig.demo.unplug());
    const failure = (await rig.run(board.write([at(0, image)])).catch((error: unknown) => error)) as StmError;
    expect(failure).toMatchObject({ code: 'unplugged', state: 'incomplete' });
    expect(rig.clock.now() - (rig.unpluggedAt ?? 0)).toBeLessThanOrEqual(1_010);
    await rig.run(board.close());
    rig.demo.replug();
    await rig.clock.advance(200);
    const again = await rig.connect({ expectedUniqueId: rig.device.uniqueId });
    await rig.run(again.write([at(0, image), ...failure.unrestored]));
    expect(Buffer.compare(rig.flash(0, 20 * KIB), Buffer.concat([image, before.subarray(18 * KIB)]))).toBe(0);
  });

  it('writes only the rest', async () => {
    const rig = new StmRig();
    const board = await rig.connect();
    const abort = new AbortController();
    const image = noise(100 * KIB);
    rig.clock.schedule(16_000, () => abort.abort());
    await expect(rig.run(board.write([at(0, image)], { signal: abort.signal }))).rejects.toMatchObject({
      code: 'cancelled',
      state: 'incomplete',
    });
    const report = await rig.run(board.write([at(0, image)]));
    expect(report.same).toBeGreaterThanOrEqual(32 * KIB);
    expect(report.written).toBeLessThanOrEqual(68 * KIB);
    expect(Buffer.compare(rig.flash(0, image.length), image)).toBe(0);
  });
});

describe('a file, its plan and its write', () => {
  it('start the program that was written', async () => {
    const rig = new StmRig({ content: 'factory' });
    const board = await rig.connect();
    const firmware = stmFirmware({ text: 'hello from the new program\r\n', size: 5_000 });
    const { segments } = readMemoryFile(firmware, flashStart);
    const plan = planStm({
      files: [{ name: 'app.bin', segments }],
      board: { info: board.info, isDemo: true, baudRate: board.baudRate },
    });
    expect(plan.refusals).toEqual([]);
    const report = await rig.run(board.write(plan.regions));
    expect(report.state).toBe('complete');
    // The estimate must be within 50 percent.
    expect(report.duration).toBeGreaterThan(plan.time * 0.5);
    expect(report.duration).toBeLessThan(plan.time * 1.5);
    await rig.run(board.restart());
    await rig.clock.advance(200);
    expect(rig.device.state).toBe('running');
  });
});
