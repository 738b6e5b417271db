import { describe, expect, it } from 'vitest';
import { readFileFacts } from './read-file-facts.ts';

const esp32 = { deviceFamily: 'esp', deviceModel: 'esp32' } as const;

describe('facts of files from their bytes', () => {
  /** Returns a partition table with one entry and the end mark (ESP-IDF, "Partition Tables"). */
  function partitionTable(offset: number): Uint8Array<ArrayBuffer> {
    const table = new Uint8Array(0xc00).fill(0xff);
    table.set([0xaa, 0x50, 0, 0]);
    new DataView(table.buffer).setUint32(4, offset, true);
    new DataView(table.buffer).setUint32(8, 0x100000, true);
    table.set([...new TextEncoder().encode('factory')], 12);
    table.fill(0, 19, 32);
    return table;
  }

  it('are read from all files together', async () => {
    const table = new File([partitionTable(0x20000)], 'any.bin');
    const other = new File(['x'], 'factory.bin');
    const { byFile: facts } = await readFileFacts([other, table], esp32);
    expect(facts.get(table)).toMatchObject({ what: 'Partition table, 1 partitions', offset: 0x8000 });
    expect(facts.get(other)).toMatchObject({ offset: 0x20000 });
  });

  it('keep files with the same name apart', async () => {
    const files = [new File(['x'], 'a.bin'), new File([partitionTable(0x10000)], 'a.bin')] as const;
    const { byFile: facts } = await readFileFacts(files, esp32);
    expect(facts.get(files[0])?.offset).not.toBe(0x8000);
    expect(facts.get(files[1])?.offset).toBe(0x8000);
  });

  /** Returns the header of an image with one empty segment (esptool, "Firmware Image Format"). */
  function image(chipId: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(48);
    bytes.set([0xe9, 1, 2, 0x20]);
    new DataView(bytes.buffer).setUint16(12, chipId, true);
    bytes[47] = 0xef;
    return bytes;
  }

  it('include a warning about chips that the server does not compare', async () => {
    const p4 = new File([image(18)], 'app.bin');
    expect((await readFileFacts([p4], esp32)).warnings).toEqual([
      'The files were built for ESP32-P4, but this project is for ESP32.',
    ]);
    expect((await readFileFacts([p4], { ...esp32, deviceModel: 'esp32p4' })).warnings).toEqual([]);
    const c3 = new File([image(5)], 'app.bin');
    expect((await readFileFacts([c3], esp32)).warnings).toEqual([]);
  });

  it('are empty for other families', async () => {
    const stm = { deviceFamily: 'stm', deviceModel: 'stm32g' } as const;
    expect((await readFileFacts([new File(['x'], 'a.bin')], stm)).byFile.size).toBe(0);
  });
});
