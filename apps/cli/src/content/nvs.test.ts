/** `wirebench nvs` as a process: simulated boards behind pseudo-terminals of socat, whose whole flash is compared. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EspDevice } from '@wirebench/devices';
import {
  buildNvs,
  isSameValue,
  liveEntries,
  type NvsChange,
  type NvsValue,
  readNvs,
  stringValue,
} from '@wirebench/flasher/esp/nvs';
import { buildTable, factoryLayout } from '@wirebench/flasher/testing';
import { randomBytes } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPartitionGenerator } from '../../../../packages/flasher/src/esp/nvs/testing/nvs-tools.ts';
import { ran, ranIn, wirebench } from '../testing/monitored-port.ts';
import { esp32, hasSocat, isSame, served } from '../testing/served-board.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-nvs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ownFolder = () => mkdtempSync(join(folder, 'own-'));
const set = (namespace: string, key: string, value: NvsValue): NvsChange => ({ kind: 'set', namespace, key, value });
const u32 = (value: number): NvsValue => ({ type: 'u32', value: BigInt(value) });

/** Place of the partition `nvs` of a board in use. */
const place = { offset: 0x9000, size: 0x4000 };

/** A board in use, with keys in NVS and files. */
const boardInUse = (seed: number, options: Parameters<typeof esp32>[0] = {}) =>
  esp32({ seed, flash: { content: 'demo' }, ...options });

/** A board with a table and other contents in its NVS. */
const boardWith = (seed: number, image: Uint8Array, options: Parameters<typeof esp32>[0] = {}): EspDevice => {
  const content = [
    { offset: 0x8000, data: buildTable(factoryLayout) },
    { offset: 0x9000, data: image },
  ];
  return esp32({ seed, flash: { content }, ...options });
};

const storeOn = (device: EspDevice, { offset, size } = place) => readNvs(device.flash.read(offset, size).slice());
const wholeFlash = (device: EspDevice) => device.flash.read(0, device.flash.size).slice();

/** Returns the keys of a store by their names. */
const keysOf = (image: Uint8Array) =>
  new Map(liveEntries(readNvs(image)).map(({ namespace, key, value }) => [`${namespace}/${key}`, value]));

/** Runs an action on a board in a folder of its own. */
async function nvs(device: EspDevice, args: readonly string[], own = ownFolder(), input?: string) {
  return ranIn(own, ['nvs', (await served(device)).path, ...args, '--by-hand'], input);
}

describe.runIf(hasSocat)('nvs list and get', { timeout: 60_000 }, () => {
  it('lists keys without passwords and writes nothing', async () => {
    const device = boardInUse(1);
    const { code, output, text } = await nvs(device, []);
    expect(code, text).toBe(0);
    expect(output).toContain('wifi\n  ssid      str  Old workshop\n  password  str  •••••••••••\n  channel   u8   6\n');
    expect(output).toContain('nvs: 11 keys in 3 namespaces, 4 % full\n1 entry that firmware does not read\n');
    expect(text).not.toContain('lathe-and-mill');
    expect(device.flash.programmedBytes + device.flash.erasedBytes).toBe(0);
  });

  it('lists them as JSON, and passwords with --secrets', async () => {
    const device = boardInUse(2);
    const keyIn = (text: string, namespace: string, key: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .find(({ event }) => event === 'nvs')
        .namespaces.find(({ name }: { readonly name: string }) => name === namespace)
        .keys.find((one: { readonly key: string }) => one.key === key);
    const hidden = await nvs(device, ['list', '--json']);
    expect(keyIn(hidden.output, 'wifi', 'password')).toEqual({
      key: 'password',
      type: 'str',
      size: 14,
      secret: true,
      value: null,
    });
    expect(keyIn(hidden.output, 'app', 'temp_offset')).toMatchObject({ type: 'i16', value: -35, secret: false });
    const shown = await nvs(device, ['list', '--json', '--secrets']);
    expect(keyIn(shown.output, 'wifi', 'password')).toMatchObject({ secret: true, value: 'lathe-and-mill' });
  });

  it('prints the value of a key alone', async () => {
    const device = boardInUse(3);
    expect(await nvs(device, ['get', 'app', 'name'])).toMatchObject({ code: 0, output: 'Bench sensor 7\n' });
    expect(await nvs(device, ['get', 'app', 'none'])).toMatchObject({
      code: 1,
      output: '',
      text: expect.stringContaining('there is no key none in the namespace app.'),
    });
  });

  it('explains an encrypted partition as the page does', async () => {
    const image = new Uint8Array(0x6000).fill(0xff);
    image.set(buildNvs(0x6000, [set('app', 'name', stringValue('lamp'))]).subarray(0, 64));
    // State, and entries that no key opens.
    image.set(randomBytes(0x400), 64);
    const { code, text } = await nvs(boardWith(4, image), []);
    expect(code).toBe(1);
    expect(text).toContain(
      'This NVS is encrypted. Its pages are intact, but keys and values can only be read with the keys',
    );
  });

  it('asks which of several partitions is meant', async () => {
    const layout = [
      { name: 'settings', type: 1, subtype: 2, offset: 0x9000, size: 0x3000 },
      { name: 'fctry', type: 1, subtype: 2, offset: 0xc000, size: 0x3000 },
    ];
    const content = [
      { offset: 0x8000, data: buildTable(layout) },
      { offset: 0xc000, data: buildNvs(0x3000, [set('serial', 'number', u32(7))]) },
    ];
    const device = esp32({ seed: 5, flash: { content } });
    expect(await nvs(device, [])).toMatchObject({
      code: 4,
      text: expect.stringContaining('Say which with --partition: settings, fctry.'),
    });
    expect(await nvs(device, ['get', 'serial', 'number', '-p', 'fctry'])).toMatchObject({ code: 0, output: '7\n' });
    expect((await nvs(device, ['-p', 'none'])).code).toBe(2);
  });
});

describe.runIf(hasSocat)('nvs set and delete', { timeout: 60_000 }, () => {
  it('sets a key, and leaves every other byte outside of its page', async () => {
    const device = boardInUse(11);
    const before = wholeFlash(device);
    const keys = keysOf(before.subarray(place.offset, place.offset + place.size));
    const own = ownFolder();
    const { code, text } = await nvs(device, ['set', 'app', 'interval_s', '300', '--yes'], own);
    expect(code, text).toBe(0);
    expect(text).toContain('  app/interval_s 60 → 300\nPage 0 of 4\n');
    expect(text).toContain('written and verified in');
    const after = wholeFlash(device);
    const changed = keysOf(after.subarray(place.offset, place.offset + place.size));
    expect(changed).toEqual(new Map([...keys, ['app/interval_s', { type: 'u16', value: 300n }]]));
    after.set(before.subarray(place.offset, place.offset + 0x1000), place.offset);
    expect(isSame(after, before)).toBe(true);
    expect(readdirSync(own)).toEqual([]);
  });

  it('keeps the layout of an SSID, takes bytes with --hex, and a new key with its type', async () => {
    const ssid = new Uint8Array(36);
    ssid.set([5, 0, 0, 0, ...Buffer.from('bench')]);
    const device = boardWith(12, buildNvs(0x6000, [set('nvs.net80211', 'sta.ssid', { type: 'blob', bytes: ssid })]));
    const wide = { offset: 0x9000, size: 0x6000 };
    expect((await nvs(device, ['set', 'nvs.net80211', 'sta.ssid', 'attic', '-y'])).code).toBe(0);
    expect((await nvs(device, ['set', 'app', 'id', '0A ff', '--hex', '--type', 'blob', '-y'])).code).toBe(0);
    const secret = await nvs(
      device,
      ['set', 'app', 'pass', '--type', 'str', '--from', '-', '-y'],
      ownFolder(),
      'sesame\n',
    );
    expect(secret.code, secret.text).toBe(0);
    expect(secret.text).toContain('app/pass added\n');
    expect(secret.text).not.toContain('sesame');
    const keys = keysOf(device.flash.read(wide.offset, wide.size).slice());
    ssid.set(Buffer.from('attic'), 4);
    expect(keys.get('nvs.net80211/sta.ssid')).toEqual({ type: 'blob', bytes: ssid });
    expect(keys.get('app/id')).toEqual({ type: 'blob', bytes: Uint8Array.of(0x0a, 0xff) });
    expect(keys.get('app/pass')).toEqual(stringValue('sesame'));
  });

  it('writes nothing for a value that does not fit, without consent, for a plan, and for the same value', async () => {
    const device = boardInUse(13);
    expect(await nvs(device, ['set', 'app', 'led', '256', '-y'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('u8 takes whole numbers from 0 to 255, also as 0x….'),
    });
    expect(await nvs(device, ['set', 'app', 'new', '1', '-y'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('app/new is a new key: say its type with --type str, blob,'),
    });
    expect(await nvs(device, ['set', 'app', 'led', '0'])).toMatchObject({
      code: 4,
      text: expect.stringContaining('nothing was written: there is no terminal to ask on.'),
    });
    expect(await nvs(device, ['set', 'app', 'led', '0', '--plan'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('app/led 1 → 0'),
    });
    expect(await nvs(device, ['set', 'app', 'led', '1'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('Nothing changes: the board has this already.'),
    });
    expect(await nvs(device, ['set', 'a-name-that-is-too-long', 'key', '1', '--type', 'u8', '-y'])).toMatchObject({
      code: 4,
      text: expect.stringContaining('Names of keys and namespaces have at most 15 characters. Choose a shorter name.'),
    });
    expect(device.flash.programmedBytes + device.flash.erasedBytes).toBe(0);
  });

  it('deletes a key and a namespace, and fails for one that is not there', async () => {
    const device = boardInUse(14);
    expect(await nvs(device, ['delete', 'app', 'led', '-y'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('app/led deleted'),
    });
    expect((await nvs(device, ['delete', 'wifi', '-y'])).code).toBe(0);
    const store = storeOn(device);
    expect(store.namespaces).toEqual(['app', 'sensor']);
    expect(liveEntries(store).map(({ key }) => key)).not.toContain('led');
    expect(await nvs(device, ['delete', 'app', 'led', '-y'])).toMatchObject({
      code: 1,
      text: expect.stringContaining('app/led: There is no key with this name.'),
    });
  });

  it('ends with 2 for wrong use, and says how an action is used', async () => {
    expect(await ran('nvs', 'port', 'set', 'app')).toMatchObject({
      code: 2,
      text: expect.stringContaining('use it as: wirebench nvs PORT set NAMESPACE KEY VALUE'),
    });
    expect(await ran('nvs', 'port', 'show')).toMatchObject({
      code: 2,
      text: expect.stringContaining('nvs takes list, get, set, delete, export, import, and not show.'),
    });
    expect((await ran('nvs')).code).toBe(2);
    expect((await ran('nvs', '/dev/none')).code).toBe(3);
  });
});

describe.runIf(hasSocat)('nvs export and import', { timeout: 60_000 }, () => {
  it('carries keys over to another board by CSV, and leaves passwords out unless they are asked for', async () => {
    const device = boardInUse(21);
    const own = ownFolder();
    const plain = await nvs(device, ['export'], own);
    expect(plain.code, plain.text).toBe(0);
    const [name = ''] = readdirSync(own);
    expect(name).toMatch(/^[\da-f]{12}-nvs\.csv$/);
    expect(readFileSync(join(own, name), 'utf8')).not.toContain('lathe');
    expect(plain.text).toContain('Passwords, tokens and keys are left out.');
    const rows = readFileSync(join(own, name), 'utf8').match(/^[^#,]+,data,/gm)?.length;
    expect(plain.text).toContain(`${rows} of 11 keys of nvs were saved to ${name}.`);
    const again = await nvs(device, ['export', name], own);
    expect(again).toMatchObject({ code: 2, text: expect.stringContaining(`${name} is there already.`) });
    expect((await nvs(device, ['export'], own)).code).toBe(2);
    expect((await nvs(device, ['export', name, '--force'], own)).code).toBe(0);
    const file = join(own, 'all.csv');
    expect((await nvs(device, ['export', file, '--secrets'], own)).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const other = boardWith(22, new Uint8Array(0x6000).fill(0xff));
    const taken = await nvs(other, ['import', file, '--yes'], own);
    expect(taken.code, taken.text).toBe(0);
    expect(taken.text).toContain('all.csv: CSV, 11 keys in 3 namespaces');
    expect(taken.text).not.toContain('lathe');
    const before = keysOf(device.flash.read(place.offset, place.size).slice());
    const after = keysOf(other.flash.read(0x9000, 0x6000).slice());
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    expect([...after].every(([key, value]) => isSameValue(value, before.get(key) ?? value))).toBe(true);
  });

  const generate = findPartitionGenerator();
  it.runIf(generate !== null)('exports CSV that nvs_partition_gen.py takes', async () => {
    const device = boardInUse(23);
    const own = ownFolder();
    const [csv, image] = [join(own, 'keys.csv'), join(own, 'keys.bin')];
    expect((await nvs(device, ['export', csv, '--secrets'], own)).code).toBe(0);
    generate?.([[csv, image]], 0x4000);
    expect(keysOf(new Uint8Array(readFileSync(image)))).toEqual(
      keysOf(device.flash.read(place.offset, place.size).slice()),
    );
  });

  it('tells files of one name by the folders that rows name, and writes nothing where those do not tell', async () => {
    const own = ownFolder();
    const rows = [
      'key,type,encoding,value',
      'app,namespace,,',
      'one,file,binary,a/cert.pem',
      'two,file,binary,b/cert.pem',
    ];
    writeFileSync(join(own, 'keys.csv'), `${rows.join('\n')}\n`);
    for (const [folder, byte] of [
      ['far/a', 1],
      ['far/b', 2],
      ['x', 3],
      ['y', 4],
    ] as const) {
      mkdirSync(join(own, folder), { recursive: true });
      writeFileSync(join(own, folder, 'cert.pem'), Uint8Array.of(byte));
    }
    const device = boardWith(26, new Uint8Array(0x6000).fill(0xff));
    const open = await nvs(device, ['import', 'keys.csv', 'x/cert.pem', 'y/cert.pem', '-y'], own);
    expect(open.code, open.text).toBe(4);
    expect(open.text).toContain(
      'Line 3: one (a/cert.pem): The line takes its value from a file, and the folders do not',
    );
    expect(open.text).toContain('Line 4: two (b/cert.pem): ');
    expect(device.flash.erasedBytes).toBe(0);
    const taken = await nvs(device, ['import', 'keys.csv', 'far/b/cert.pem', 'far/a/cert.pem', '-y'], own);
    expect(taken.code, taken.text).toBe(0);
    const blob = (byte: number) => ({ type: 'blob', bytes: Uint8Array.of(byte) });
    expect(keysOf(device.flash.read(0x9000, 0x6000).slice())).toEqual(
      new Map([
        ['app/one', blob(1)],
        ['app/two', blob(2)],
      ]),
    );
  });

  it('takes the files that rows name, leaves the pairings of libraries alone, and reads images', async () => {
    const own = ownFolder();
    const lines = ['key,type,encoding,value', 'app,namespace,,', 'cert,file,binary,cert.der'];
    writeFileSync(join(own, 'keys.csv'), [...lines, 'phy,namespace,,', 'cal,data,u8,1', ''].join('\n'));
    writeFileSync(join(own, 'cert.der'), Uint8Array.of(1, 2, 3));
    const device = boardWith(24, new Uint8Array(0x6000).fill(0xff));
    expect(await nvs(device, ['import', 'keys.csv', '-y'], own)).toMatchObject({
      code: 4,
      text: expect.stringContaining('The line takes its value from a file that was not added.'),
    });
    expect(device.flash.erasedBytes).toBe(0);
    const taken = await nvs(device, ['import', 'keys.csv', './cert.der', '-y'], own);
    expect(taken.code, taken.text).toBe(0);
    expect(taken.text).toContain('Left out: phy (radio calibration. Better left alone). --all takes them too.');
    const image = device.flash.read(0x9000, 0x6000).slice();
    expect(keysOf(image)).toEqual(new Map([['app/cert', { type: 'blob', bytes: Uint8Array.of(1, 2, 3) }]]));
    writeFileSync(join(own, 'image.bin'), image);
    const other = boardWith(25, buildNvs(0x6000, [set('app', 'kept', u32(1))]));
    expect((await nvs(other, ['import', 'image.bin', '-y'], own)).code).toBe(0);
    expect([...keysOf(other.flash.read(0x9000, 0x6000).slice()).keys()]).toEqual(['app/kept', 'app/cert']);
  });

  it('ends with 2 for a file that is not there', async () => {
    expect((await ran('nvs', 'port', 'import', join(folder, 'none.csv'))).code).toBe(2);
  });
});

describe.runIf(hasSocat)('nvs, interrupted', { timeout: 60_000 }, () => {
  /** CSV whose keys take most pages of a partition of 0x6000 bytes. */
  function manyKeys(own: string): string {
    const rows = Array.from({ length: 60 }, (_, index) => `k${index},data,string,${'x'.repeat(120)}${index}`);
    const path = join(own, 'many.csv');
    writeFileSync(path, ['key,type,encoding,value', 'app,namespace,,', ...rows, ''].join('\n'));
    return path;
  }
  const old = buildNvs(0x6000, [set('app', 'k0', stringValue('old')), set('wifi', 'ssid', stringValue('attic'))]);

  it('finishes the write after Ctrl+C, and ends with 130', async () => {
    const device = boardWith(31, old, { profile: 'slow-flash' });
    const own = ownFolder();
    const { path } = await served(device);
    const args = ['nvs', path, 'import', manyKeys(own), '--yes', '--json', '--by-hand'];
    const program = wirebench(args, {}, { folder: own });
    await program.until(/"phase":"writing","done":[1-9]/);
    program.interrupt();
    expect(await program.exited, program.text()).toBe(130);
    expect(program.text()).toContain('the write is finished first.');
    expect(program.text()).toContain('interrupted. The change is complete on the board.');
    const keys = keysOf(device.flash.read(0x9000, 0x6000).slice());
    expect(keys.size).toBe(61);
    expect(keys.get('wifi/ssid')).toEqual(stringValue('attic'));
    expect(readdirSync(own)).toEqual(['many.csv']);
  });

  it('keeps the old contents in a file if the board is lost, which import --whole writes back', async () => {
    const device = boardWith(32, old, { profile: 'slow-flash' });
    const before = wholeFlash(device);
    const own = ownFolder();
    const { path, terminal } = await served(device);
    const args = ['nvs', path, 'import', manyKeys(own), '--yes', '--json', '--by-hand'];
    const program = wirebench(args, {}, { folder: own });
    await program.until(/"phase":"writing","done":[1-9]/);
    await terminal.close();
    expect(await program.exited, program.text()).toBe(3);
    const [, file = ''] =
      /The old contents of nvs are in (\S+\.bin): "wirebench nvs \S+ import \1 --whole --partition nvs"/.exec(
        program.text(),
      ) ?? [];
    expect(isSame(readFileSync(join(own, file)), old)).toBe(true);
    expect(statSync(join(own, file)).mode & 0o777).toBe(0o600);
    device.pressReset();
    const back = await served(device);
    const write = ['nvs', back.path, 'import', file, '--whole', '--partition', 'nvs', '--by-hand', '--yes'];
    const { code, text } = await ranIn(own, write);
    expect(code, text).toBe(0);
    expect(isSame(wholeFlash(device), before)).toBe(true);
    expect(existsSync(join(own, file))).toBe(true);
  });
});
