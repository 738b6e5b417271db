import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addReleases, readReleases } from './releases.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wirebench-releases-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(path: string, content: string | object): Promise<void> {
  const file = join(folder, 'in', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
}

const read = () => readReleases(join(folder, 'in'));

const webTools = (path: string, rest: object = {}) => ({
  name: 'Blinky',
  version: '1.2.0',
  builds: ['ESP32', 'ESP32-C3'].map((chipFamily) => ({ chipFamily, parts: [{ path, offset: 65_536 }] })),
  ...rest,
});

const idf = { extra_esptool_args: { chip: 'esp32s3' }, flash_files: { '0x10000': 'app.bin' } };

describe('firmware beside the static edition', () => {
  it('is listed by name, and copied with the files that its manifests name, and nothing else', async () => {
    await put('blinky/manifest.json', webTools('bin/app 1.bin'));
    await put('blinky/bin/app 1.bin', 'app');
    await put('blinky/source.c', 'int main;');
    await put('adder/build/flasher_args.json', idf);
    await put('adder/build/app.bin', 'app');
    await put('adder/build/project_description.json', { project_name: 'adder' });
    const out = join(folder, 'out');
    await mkdir(out);
    const listed = await addReleases(join(folder, 'in'), await read(), out);
    expect(listed).toEqual([
      {
        name: 'adder',
        version: '',
        family: 'esp',
        chips: ['ESP32-S3'],
        manifest: 'releases/adder/build/flasher_args.json',
      },
      {
        name: 'Blinky',
        version: '1.2.0',
        family: 'esp',
        chips: ['ESP32', 'ESP32-C3'],
        manifest: 'releases/blinky/manifest.json',
      },
    ]);
    expect(JSON.parse(await readFile(join(out, 'releases.json'), 'utf8'))).toEqual({ releases: listed });
    const copied = await readdir(join(out, 'releases'), { recursive: true, withFileTypes: true });
    expect(
      copied
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['app 1.bin', 'app.bin', 'flasher_args.json', 'manifest.json']);
  });

  it('is an empty list without releases', async () => {
    expect(await addReleases(null, [], folder)).toEqual([]);
    expect(JSON.parse(await readFile(join(folder, 'releases.json'), 'utf8'))).toEqual({ releases: [] });
  });

  it('stays where it is if another host has its files', async () => {
    await put('manifest.json', webTools('https://firmware.example/app.bin'));
    expect((await read()).map(({ files }) => files)).toEqual([['manifest.json']]);
  });

  it('is refused with the name of a missing file', async () => {
    await put('blinky/manifest.json', webTools('../app.bin'));
    await expect(read()).rejects.toThrow(`blinky/manifest.json names app.bin, which is not in ${join(folder, 'in')}.`);
  });

  it('is refused with the path of a manifest without builds', async () => {
    await put('blinky/manifest.json', { name: 'Blinky', builds: [] });
    await expect(read()).rejects.toThrow('blinky/manifest.json: The manifest has no build that can be written.');
  });

  it('is refused with the line of a comma too many, beside a good manifest and alone', async () => {
    await put('adder/build/flasher_args.json', idf);
    await put('adder/build/app.bin', 'app');
    await put('blinky/manifest.json', '{\n  "builds": [],\n}');
    const sentence =
      'blinky/manifest.json: The manifest is not valid JSON. Line 3, column 1: "}" follows a comma. Remove the comma in line 2, column 15.';
    await expect(read()).rejects.toThrow(sentence);
    await rm(join(folder, 'in', 'adder'), { recursive: true });
    await expect(read()).rejects.toThrow(sentence);
  });

  it.each<[string, unknown]>([
    ['blinky/manifest.json names 100%.bin, which is not valid percent encoding.', webTools('../100%.bin')],
    ['names /app.bin, which is outside of the folder of the firmware.', webTools('/app.bin')],
    ['names /app.bin, which is outside of the folder of the firmware.', webTools('../../app.bin')],
    ['names blinky/..%2F..%2Fapp.bin, which is no path of a file.', webTools('..%2F..%2Fapp.bin')],
    ['names blinky/APP.bin, but the file is blinky/app.bin.', webTools('APP.bin')],
    ['names blinky/bin, which is not in', webTools('bin')],
    ['The build for ESP32 has a file at "C:\\build\\app.bin"', webTools('C:\\build\\app.bin')],
    [
      'The build for ESP32-C3 gives "app.bin" the offset 32.768',
      {
        builds: [
          { chipFamily: 'ESP32', parts: [{ path: 'app.bin', offset: 0 }] },
          { chipFamily: 'ESP32-C3', parts: [{ path: 'app.bin', offset: 32.768 }] },
        ],
      },
    ],
    ['blinky/manifest.json: The file is not a manifest: it is a web page.', '<!doctype html>'],
    ['blinky/manifest.json: The file is not a manifest.', { builds: 'ESP32' }],
  ])('is refused with the name of the manifest: %s', async (sentence, manifest) => {
    await put('adder/build/flasher_args.json', idf);
    await put('adder/build/app.bin', 'app');
    await put('blinky/app.bin', 'app');
    await put('blinky/bin/other.bin', 'app');
    await put('100%.bin', 'app');
    await put('blinky/manifest.json', typeof manifest === 'string' ? manifest : Object(manifest));
    await expect(read()).rejects.toThrow(sentence);
  });

  it('may have a percent sign and blanks in encoded names', async () => {
    await put('100% on/my app.bin', 'app');
    await put('100% on/manifest.json', webTools('my%20app.bin'));
    expect((await read()).map(({ files }) => files)).toEqual([['100% on/manifest.json', '100% on/my app.bin']]);
  });

  it('leaves out JSON with comments and web app manifests that have nothing to do with firmware', async () => {
    await put('blinky/manifest.json', webTools('app.bin'));
    await put('blinky/app.bin', 'app');
    await put('site/manifest.json', { name: 'Site', icons: [] });
    await put('.vscode/settings.json', '{ // tabs\n}');
    expect(await read()).toHaveLength(1);
  });

  it.each(['nowhere', 'in'])('is refused if %s has no manifest', async (name) => {
    await put('notes.json', { hello: true });
    await expect(readReleases(join(folder, name))).rejects.toThrow(/cannot be read|holds no firmware/);
  });
});
