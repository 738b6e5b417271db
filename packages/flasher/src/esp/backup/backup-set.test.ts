import { describe, expect, it } from 'vitest';
import { changedRegions } from '../../core/changed-regions.ts';
import { noise } from '../../testing/program.ts';
import {
  BackupError,
  backupManifestName,
  backupRefusal,
  isOfOneBoard,
  readBackupSet,
  restoreChange,
  writeBackupSet,
} from './backup-set.ts';

const board = {
  created: '2026-11-26T14:00:00.000Z',
  chip: 'esp32',
  board: '24:0a:c4:00:01:10',
  flashSize: 0x400000,
} as const;
const parts = [
  { name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x6000, bytes: noise(0x6000, 1) },
  { name: 'factory', type: 0, subtype: 0, offset: 0x10000, size: 0x3000, bytes: noise(0x3000, 2) },
];

describe('a backup set', () => {
  it('is read as it was written, also from a folder of the archive', async () => {
    const files = await writeBackupSet(board, parts);
    expect(files.map(({ name }) => name)).toEqual(['nvs-0x9000.bin', 'factory-0x10000.bin', backupManifestName]);
    expect(await readBackupSet(files)).toMatchObject({ ...board, parts });
    const inFolder = files.map((file) => ({ ...file, name: `kitchen/${file.name}` }));
    expect((await readBackupSet(inFolder)).parts).toHaveLength(2);
  });

  it('is read if its manifest was saved in UTF-16', async () => {
    const files = await writeBackupSet(board, parts);
    const text = new TextDecoder().decode(files.at(-1)?.bytes);
    const bytes = Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect(await readBackupSet([...files.slice(0, -1), { name: backupManifestName, bytes }])).toMatchObject({ parts });
  });

  it('is refused when a byte has changed, a file is missing, or the manifest is something else', async () => {
    const files = await writeBackupSet(board, parts);
    const changed = files.map((file, index) => (index === 0 ? { ...file, bytes: noise(0x6000, 3) } : file));
    await expect(readBackupSet(changed)).rejects.toThrow('the SHA-256 of nvs-0x9000.bin does not match');
    await expect(readBackupSet(files.slice(1))).rejects.toThrow('nvs-0x9000.bin is missing');
    await expect(readBackupSet(files.slice(0, 2))).rejects.toThrow('no manifest');
    const withText = (text: string) => [{ name: backupManifestName, bytes: new TextEncoder().encode(text) }];
    for (const text of ['{', '[]', '{"format":"other"}', '{"format":"wirebench-backup","version":2}']) {
      await expect(readBackupSet(withText(text))).rejects.toThrow(BackupError);
    }
    const odd = JSON.stringify({ format: 'wirebench-backup', version: 1, ...board, parts: [{ name: 'x', offset: 5 }] });
    await expect(readBackupSet(withText(odd))).rejects.toThrow('damaged');
  });

  it('is refused for another chip and for a smaller flash', () => {
    const set = { ...board, parts: parts.map((part) => ({ ...part, file: '', sha256: '' })) };
    expect(backupRefusal(set, { chip: 'esp32', flashSize: 0x400000 })).toBeNull();
    expect(backupRefusal(set, { chip: 'esp32', flashSize: null })).toBeNull();
    expect(backupRefusal(set, { chip: 'esp32s3', flashSize: 0x400000 })).toBe(
      'This backup is of an ESP32. This board has an ESP32-S3.',
    );
    expect(backupRefusal(set, { chip: 'esp32', flashSize: 0x10000 })).toContain('needs');
  });

  it('spares the settings of the target when it holds the whole flash', () => {
    const bytes = noise(0x20000, 4);
    bytes.fill(0xff, 0x8000, 0x9000);
    const flash = { name: 'flash', type: null, subtype: null, offset: 0, size: 0x20000, file: '', sha256: '', bytes };
    const change = restoreChange(flash, [{ offset: 0x9000, length: 0x6000 }], true);
    const regions = changedRegions(change);
    const inSettings = regions.filter(({ offset, length }) => offset < 0xf000 && offset + length > 0x9000);
    expect(inSettings).toEqual([]);
    expect(regions.reduce((sum, { length }) => sum + length, 0)).toBe(0x20000 - 0x6000);
    expect(regions.find(({ offset }) => offset === 0x8000)?.bytes).toBeNull();
  });

  it('recognises the partitions that belong to one board', () => {
    expect([2, 1, 4, 0, 130].map((subtype) => isOfOneBoard({ type: 1, subtype }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(isOfOneBoard({ type: null, subtype: null })).toBe(false);
  });
});
