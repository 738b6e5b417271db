/** `wirebench info` and `wirebench merge` as processes. Hashes and HEX files are those of other programs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stmFirmware } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { espFiles, TestFolder } from '../testing/built-files.ts';
import { ran, wirebench } from '../testing/monitored-port.ts';

const files = new TestFolder();
const hasObjcopy = spawnSync('objcopy', ['--version'], { stdio: 'ignore' }).status === 0;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function printed(...args: readonly string[]) {
  const program = wirebench(args);
  const code = await program.exited;
  return { code, output: program.output(), text: program.text() };
}

describe('info', { timeout: 240_000 }, () => {
  it('names parts, places, hashes, program and partitions of a build', async () => {
    const { path, flashed } = files.espBuild('shown');
    const { code, output } = await printed('info', path);
    expect(code, output).toBe(0);
    for (const { file, offset, data } of flashed) {
      expect(output).toContain(`${file} (0x${offset.toString(16)}, `);
      expect(output).toContain(`SHA-256: ${sha256(data)}`);
    }
    expect(output).toMatch(/ESP32/);
    expect(output).toMatch(/Program: lamp/);
    expect(output).toContain('Signature: none');
    // The names of `factoryLayout`, in the form of ESP-IDF's partition tables.
    expect(output).toMatch(/nvs, *data, *nvs, *0x9000/);
  });

  it('prints the same as JSON', async () => {
    const { path, flashed } = files.espBuild('json');
    const { output } = await printed('info', path, '--json');
    const [build] = JSON.parse(output);
    expect(build).toMatchObject({ family: 'esp', findings: [] });
    expect(
      build.files.map(({ name, offset, sha256: hash, wholeness }: Record<string, unknown>) => [
        name,
        offset,
        hash,
        wholeness,
      ]),
    ).toEqual(flashed.map(({ file, offset, data }) => [file, offset, sha256(data), 'whole']));
  });

  it('says that a program is cut short, and ends with 1', async () => {
    const [, , app] = espFiles('esp32');
    const cut = files.saved('cut.bin', (app?.data ?? new Uint8Array()).subarray(0, 9_000));
    const { code, output } = await printed('info', `0x10000=${cut}`);
    expect(output).toContain('Damaged: a part is missing or changed.');
    expect(code).toBe(1);
  });

  it('says that a text is no firmware, and ends with 1', async () => {
    const { code, text } = await ran('info', files.saved('notes.txt', 'Buy a longer cable.\n'));
    expect(text).toContain('this is no firmware that a board here takes.');
    expect(code).toBe(1);
  });

  it('says which of two files is for other boards, and ends with 1', async () => {
    const [bootloader] = espFiles('esp32');
    const esp = files.saved('bootloader.bin', bootloader?.data ?? new Uint8Array());
    const hex = files.saved('motor.bin', stmFirmware({ text: 'on' }));
    const { code, output } = await printed('info', `0x1000=${esp}`, hex);
    expect(output).toContain('Left out: motor.bin.');
    expect(output).toContain('bootloader.bin (0x1000');
    expect(code, output).toBe(1);
  });

  it('prints what a board is, without a build', async () => {
    const { code, output } = await printed('info', '--simulate', 'esp32');
    expect(output).toMatch(/ESP32-\S+ \(simulated\), MAC (?:[\da-f]{2}:){5}[\da-f]{2}, 4 MB flash\n/);
    expect(code).toBe(0);
  });
});

describe('merge', { timeout: 240_000 }, () => {
  it('writes each part at its place, 0xFF between them, and says what that clears', async () => {
    const { path, flashed } = files.espBuild('merged');
    const file = join(files.path, 'merged.bin');
    const { code, text } = await ran('merge', file, path);
    expect(code, text).toBe(0);
    expect(text).toContain('writing the file clears nvs at 0x9000');
    const bytes = readFileSync(file);
    const expected = Buffer.alloc(bytes.length, 0xff);
    for (const { offset, data } of flashed) {
      expected.set(data, offset);
    }
    expect(bytes.equals(expected)).toBe(true);
    expect(await ran('merge', file, path)).toMatchObject({
      code: 2,
      text: expect.stringContaining('is there already'),
    });
  });

  it.runIf(hasObjcopy)('writes the HEX file that objcopy reads as the raw one', async () => {
    const { path } = files.espBuild('hex');
    const [raw, hex, back] = ['one.bin', 'one.hex', 'back.bin'].map((name) => join(files.path, name));
    await ran('merge', raw ?? '', path);
    await ran('merge', hex ?? '', path);
    execFileSync('objcopy', ['-I', 'ihex', '-O', 'binary', '--gap-fill', '0xff', hex ?? '', back ?? '']);
    // objcopy begins with the first byte that there is.
    expect(readFileSync(back ?? '').equals(readFileSync(raw ?? '').subarray(0x1000))).toBe(true);
  });

  it('writes UF2 for the chip of the files', async () => {
    const { path } = files.espBuild('uf2');
    const file = join(files.path, 'one.uf2');
    expect(await ran('merge', file, path)).toMatchObject({ code: 0 });
    const bytes = readFileSync(file);
    // UF2 specification: magic, flags with family ID, and the ID of the ESP32 in its list (uf2families.json).
    expect([bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(28)]).toEqual([
      0x0a324655, 0x9e5d5157, 0x1c5f21b0,
    ]);
  });

  it.each([
    ['a text', ['notes.txt'], 4, 'there are no files for boards of'],
    ['a raw binary without a place', ['raw.bin'], 4, 'Nothing tells the place of raw.bin'],
  ])('refuses %s, and writes nothing', async (_what, names, exitCode, sentence) => {
    files.saved('notes.txt', 'Buy a longer cable.\n');
    files.saved(
      'raw.bin',
      Uint8Array.from({ length: 500 }, (_, at) => (at * 7) & 0xff),
    );
    const file = join(files.path, 'nothing.bin');
    const { code, text } = await ran('merge', file, ...names.map((name) => join(files.path, name)));
    expect(text).toContain(sentence);
    expect(code).toBe(exitCode);
    expect(existsSync(file)).toBe(false);
  });
});
