/** Builds that are written by themselves: a folder from the disk, as a person drops it, and a build that writes it again. */
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import type { Page, TestInfo } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { nrfFirmware } from '@wirebench/devices';
import { isLong } from '@wirebench/test-input';
import { espFirmware } from '../../scripts/firmware/esp-firmware.ts';
import { missingPrograms, NinjaBuild, targets } from '../support/ninja-build.ts';
import { expect, test } from '../support/test.ts';
import { sketch } from './avr-flasher-steps.ts';
import { connectDemo, connectOther, expectInMonitorLog, monitor, plan } from './flasher-steps.ts';
import { program as stmProgram } from './stm-flasher-steps.ts';
import { expectWholeBuilds, watch, watchFolder, watchSwitch } from './watch-steps.ts';

/** Returns the application of one version, as its build writes it. */
function app(version: string, size = 20_000): Buffer {
  const found = espFirmware('esp32', { project: 'weather-node', version, size }).find(({ name }) => name === 'app.bin');
  return Buffer.from(found?.bytes ?? []);
}

/** A folder of a build on the disk, which the page was given by a drop. */
class BuildFolder {
  readonly path: string;

  constructor(info: TestInfo) {
    this.path = info.outputPath('build');
  }

  async write(files: Readonly<Record<string, Buffer | string>>): Promise<void> {
    await mkdir(this.path, { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      await writeFile(`${this.path}/${name}`, content);
    }
  }
}

/** Builds an ELF file with one loadable segment (System V ABI, chapters 4 and 5). */
function elfOf(address: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(84);
  head.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
  head.writeUInt16LE(2, 16);
  head.writeUInt16LE(40, 18);
  head.writeUInt32LE(address, 24);
  head.writeUInt32LE(52, 28);
  head.writeUInt16LE(32, 42);
  head.writeUInt16LE(1, 44);
  const segment = [1, head.length, address, address, bytes.length, bytes.length];
  for (const [field, word] of segment.entries()) {
    head.writeUInt32LE(word, 52 + 4 * field);
  }
  return Buffer.concat([head, bytes]);
}

const list = JSON.stringify({ flash_files: { '0x10000': 'app.bin' } });

/** Drops a build, writes it once by hand, and switches the watch on. */
async function watching(page: Page, info: TestInfo): Promise<BuildFolder> {
  const folder = new BuildFolder(info);
  await folder.write({ 'flasher_args.json': list, 'app.bin': app('1.0.0') });
  await watchOnDemo(page, folder.path);
  return folder;
}

/** Connects the demo board, writes a folder to it once by hand, and switches the watch on. */
async function watchOnDemo(page: Page, path: string): Promise<void> {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await watchFolder(page, path, 'Written and verified');
  await page.getByRole('button', { name: 'Builds only' }).click();
}

test('a new build is written by itself, restarted and named in the log', async ({ page }, info) => {
  const folder = await watching(page, info);
  await expect(page.getByRole('button', { name: 'Stop watching' })).toBeVisible();
  const next = app('1.0.1');
  await folder.write({ 'app.bin': next });
  await expect(watch(page)).toContainText('1 build written since');
  await expect(watch(page)).toContainText('The board runs weather-node 1.0.1');
  const hash = createHash('sha256').update(next).digest('hex').slice(0, 8);
  await expect(monitor(page)).toContainText(`${hash}, written:`);
  await expectInMonitorLog(page, `${hash}, written:`);
  await expect(page).toHaveTitle('● 1 written');
  await page.getByRole('button', { name: 'Stop watching' }).click();
  await expect(watch(page)).toHaveCount(0);
  await expect(page).not.toHaveTitle(/written/);
  await folder.write({ 'app.bin': app('1.0.2') });
  await watchSwitch(page).click();
  await expect(watch(page)).toContainText('0 builds written since');
  await expect(monitor(page)).not.toContainText('app_init: App version: 1.0.2');
});

test('a build that is written slowly and in pieces is written to the board once it is whole', async ({
  page,
}, info) => {
  const folder = await watching(page, info);
  const next = app('1.1.0', 40_000);
  await folder.write({ 'app.bin': next.subarray(0, 9_000) });
  await expect(watch(page)).toContainText('A build is running');
  await expect(watch(page)).toContainText('app.bin is not complete yet');
  await folder.write({ 'app.bin': next.subarray(0, 30_000) });
  await expect(watch(page)).toContainText('app.bin is not complete yet');
  await folder.write({ 'app.bin': next });
  await expect(watch(page)).toContainText('weather-node 1.1.0');
  await expect(monitor(page)).toContainText('Build 1 of');
  await expect(monitor(page)).not.toContainText('Build 2');
});

test('a build with the bytes of the board is not written', async ({ page }, info) => {
  const folder = await watching(page, info);
  await folder.write({ 'app.bin.tmp': app('1.0.0') });
  await rename(`${folder.path}/app.bin.tmp`, `${folder.path}/app.bin`);
  await expect(watch(page)).toContainText('is what the board has. Nothing was written.');
});

test('a new partition table waits for a decision, which can be skipped or taken', async ({ page }, info) => {
  const folder = await watching(page, info);
  const table = espFirmware('esp32', { project: 'x', version: '1', size: 100 }).find(({ offset }) => offset === 0x8000);
  const bytes = Buffer.from(table?.bytes ?? []);
  await folder.write({
    'partition-table.bin': changedTable(bytes),
    'flasher_args.json': JSON.stringify({ flash_files: { '0x8000': 'partition-table.bin', '0x10000': 'app.bin' } }),
  });
  await expect(plan(page)).toContainText('Build 1 is not written by itself');
  await expect(plan(page)).toContainText('It brings another partition table.');
  await expect(monitor(page)).toContainText('waits for you: it brings another partition table');
  await page.getByRole('button', { name: 'Skip it' }).click();
  await expect(watch(page)).toContainText('The latest build was skipped.');
  await folder.write({ 'app.bin': app('1.2.0') });
  await page.getByRole('button', { name: 'Write build 2' }).click();
  await expect(watch(page)).toContainText('weather-node 1.2.0');
});

/** Renames the last partition, and makes the table's hash right again. */
function changedTable(table: Buffer): Buffer {
  const end = table.indexOf(Buffer.from([0xeb, 0xeb]));
  const changed = Buffer.from(table);
  changed.write('other\0', end - 32 + 12);
  createHash('md5')
    .update(changed.subarray(0, end))
    .digest()
    .copy(changed, end + 16);
  return changed;
}

test('a build for another chip is refused, and the next one for the board is written', async ({ page }, info) => {
  const folder = await watching(page, info);
  const other = espFirmware('esp32c3', { project: 'weather-node', version: '2', size: 20_000 });
  await folder.write({ 'app.bin': Buffer.from(other.find(({ name }) => name === 'app.bin')?.bytes ?? []) });
  await expect(watch(page)).toContainText('Build 1 is for another chip');
  await folder.write({ 'app.bin': app('1.0.3') });
  await expect(watch(page)).toContainText('weather-node 1.0.3');
});

test('a build waits for a board that is unplugged', async ({ page }, info) => {
  const folder = await watching(page, info);
  await page.getByRole('button', { name: 'Unplug' }).click();
  await folder.write({ 'app.bin': app('1.0.4') });
  await expect(watch(page)).toContainText('is unplugged');
  await expect(watch(page)).toContainText('Build 1 is ready and is written when it is back.');
  await page.getByRole('button', { name: 'Plug in again' }).click();
  await expect(watch(page)).toContainText('weather-node 1.0.4');
});

test('the watch goes on for the folder and the board after a reload', async ({ page }, info) => {
  await watching(page, info);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await connectDemo(page);
  // The browser may have forgotten that the page may read the folder.
  const asks = page.getByRole('button', { name: 'Let build be read again' });
  const goesOn = page.getByRole('switch', { name: 'Write each new build by itself', checked: true });
  await expect(asks.or(goesOn)).toBeVisible();
});

const others = [
  {
    family: 'STM32',
    page: staticPages.stmFlasher,
    demo: 'Demo STM32F407',
    file: 'boiler.elf',
    build: (size: number) => elfOf(0x0800_0000, stmProgram(size)),
  },
  {
    family: 'Arduino',
    page: staticPages.avrFlasher,
    demo: 'Demo Uno',
    file: 'greenhouse.ino.hex',
    build: sketch,
  },
  {
    family: 'Nordic',
    page: staticPages.nrfFlasher,
    demo: 'Demo Feather nRF52840',
    file: 'sensor.zip',
    build: (size: number) => Buffer.from(nrfFirmware({ board: 'feather-nrf52840', size }).bytes),
  },
] as const;

for (const { family, page: address, demo, file, build } of others) {
  test(`the ${family} flasher writes a new build by itself once all of it is there`, async ({ page }, info) => {
    const folder = new BuildFolder(info);
    await folder.write({ [file]: build(2_048) });
    await page.goto(address);
    await connectOther(page, demo);
    await watchFolder(page, folder.path, 'Written');
    const next = build(4_096);
    await folder.write({ [file]: next.subarray(0, next.length >> 1) });
    await expect(watch(page)).toContainText(`${file} is not complete yet`);
    await folder.write({ [file]: next });
    await expect(watch(page)).toContainText('1 build written since');
  });
}

test('a raw binary without an ELF file beside it waits for a decision', async ({ page }, info) => {
  const folder = new BuildFolder(info);
  await folder.write({ 'boiler.bin': stmProgram(2_048) });
  await page.goto(staticPages.stmFlasher);
  await connectOther(page, 'Demo STM32F407');
  await watchFolder(page, folder.path, 'Written');
  await folder.write({ 'boiler.bin': stmProgram(4_096) });
  await expect(plan(page)).toContainText('boiler.bin carries no length, end or hash');
  await page.getByRole('button', { name: 'Write build 1' }).click();
  await expect(watch(page)).toContainText('1 build written since');
  await folder.write({ 'boiler.elf': elfOf(0x0800_0000, stmProgram(6_144)) });
  await folder.write({ 'boiler.bin': stmProgram(6_144) });
  await expect(watch(page)).toContainText('2 builds written since');
});

/** Builds of the test below: the long run has the number for which the watch is made. */
const builds = isLong ? 200 : 6;

test('ninja and a linker that write slowly and are killed leave no torn or old build on the board', async ({
  page,
}, info) => {
  const missing = missingPrograms(targets.esp);
  test.skip(missing !== null, `This machine has no ${missing}.`);
  test.setTimeout(60_000 + builds * 12_000);
  const build = new NinjaBuild(info.outputPath('build'), targets.esp);
  await build.begin();
  await watchOnDemo(page, build.path);
  const { length } = await expectWholeBuilds(page, build, { builds, longestPause: 2_500 });
  info.annotations.push({
    type: 'builds',
    description: `${builds} builds, ${build.killed} killed, ${length} written, 0 torn, 0 stale`,
  });
});
