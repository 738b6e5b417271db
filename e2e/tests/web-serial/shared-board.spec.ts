/**
 * A board behind Chromium's own Web Serial that another person flashes. The host's tab is at one server, the guest at
 * another, with a Redis between them. The tests compare the whole flash, also the parts that must not be written.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import type { EspDevice } from '@wirebench/devices';
import { startProgram } from '@wirebench/server/testing/program-process.ts';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { findEsptool } from '../../../packages/devices/src/esp/testing/esptool.ts';
import { noise } from '../../../scripts/firmware/esp-firmware.ts';
import { hasRedis, startTwoServers, type TwoServers } from '../../support/two-servers.ts';
import { openBrowser } from '../../web-serial/browser.ts';
import { test as base, expect } from '../../web-serial/esp-fixture.ts';
import { addFile, board as boardOf, result, writeButton } from '../flasher-steps.ts';
import { setRight, share, shareBar } from '../share-steps.ts';
import { signIn } from '../sign-in-steps.ts';

const guestName = 'Priya S.';
const size = 4 * 1024 * 1024;
const sector = 4_096;
const offset = 0x2_0000;
const before = Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 12)) & 0xff));
const esptool = findEsptool();

const test = base.extend<{ servers: TwoServers; owner: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright demands the destructuring, also of nothing.
  servers: async ({}, use) => {
    await using servers = await startTwoServers();
    await use(servers);
  },
  /** Opens the tab of the board's owner, with the board connected. */
  owner: async ({ host, board, servers }, use) => {
    expect(board.received).toHaveLength(0);
    const context = await openBrowser(host, servers.near);
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(`${servers.near}/app/uart`);
    await page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
    await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
    await signIn(page, 'maker');
    await use(page);
    await context.close();
  },
});

test.skip(!hasRedis, 'There is no Redis here: install redis-server or valkey-server.');
test.use({
  chip: { chip: 'esp32', mac: '24:0A:C4:12:34:56', flash: { content: [{ offset: 0, data: before }] } },
});
// Long, because these tests run two servers, two browsers and another program.
test.describe.configure({ timeout: 300_000 });

/**
 * Checks the flash: the image in its place, erased bytes up to the end of its last sector, everything else unchanged.
 */
function expectWritten(device: EspDevice, image: Buffer): void {
  const end = Math.ceil((offset + image.length) / sector) * sector;
  const expected = Buffer.from(before);
  expected.fill(0xff, offset, end);
  image.copy(expected, offset);
  expect(Buffer.from(device.flash.read(0, size)).equals(expected)).toBe(true);
}

test.describe('a line that takes its time', () => {
  // Slows the line down, so that a write can be interrupted.
  test.use({ line: { baudRate: 115_200, paced: true } });

  test('a guest whose network is cut for ten seconds in the middle of a write goes on by itself, and every byte is right', {
    tag: '@long',
  }, async ({ owner, servers, browser, device }) => {
    const image = noise(600_000);
    const link = new URL(await share(owner));
    const elsewhere = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1440, height: 900 } });
    const guest = await elsewhere.newPage();
    await guest.goto(`${servers.far}${staticPages.espFlasher}?live=${link.searchParams.get('id')}${link.hash}`);
    await guest.getByRole('textbox', { name: 'Your name' }).fill(guestName);
    await guest.getByRole('button', { name: 'Open the link' }).click();
    await guest.getByRole('button', { name: /^Ask to use / }).click();
    await setRight(owner, guestName, 'Use');
    await guest.getByRole('button', { name: /^Connect Port / }).click();
    await expect(boardOf(guest)).toContainText('Ready');
    await expect(boardOf(guest)).toContainText(device.mac.toLowerCase());
    await addFile(guest, 'data.bin', image, `0x${offset.toString(16)}`);
    await expect(writeButton(guest)).toBeEnabled();
    device.flash.resetCounts();
    await writeButton(guest).click();
    await expect.poll(() => device.flash.programmedBytes).toBeGreaterThan(image.length / 4);

    const restore = servers.wire.cut();
    await expect(guest.getByText('The connection to the shared bench is lost. Trying again.')).toBeVisible();
    await guest.waitForTimeout(10_000);
    expect(device.flash.programmedBytes).toBeLessThan(image.length);
    await expect(result(guest)).toHaveCount(0);
    restore();
    await expect(result(guest)).toContainText('Written and verified');
    expectWritten(device, image);
    // Regions written before the cut were not written again.
    expect(device.flash.programmedBytes).toBeLessThan(image.length + sector);
    await elsewhere.close();
  });
});

test('esptool at another server writes, verifies and reads the board, and touches nothing else', async ({
  owner,
  servers,
  device,
}) => {
  test.skip(esptool === null, 'There is no esptool here: install it, or set ESPTOOL.');
  const [python = '', ...first] = esptool ?? [];
  const image = noise(300_001);
  const link = (await share(owner)).replace(servers.near, servers.far);
  await using folder = await temporaryFolder();
  // esptool's default timeouts suit an idle machine (esptool documentation, "Configuration File").
  const settings = join(folder.path, 'esptool.cfg');
  writeFileSync(settings, '[esptool]\ntimeout = 60\nserial_write_timeout = 60\n');
  const env = { ...process.env, ESPTOOL_CFGFILE: settings };
  const file = join(folder.path, 'remote-port.mjs');
  writeFileSync(file, await (await fetch(`${servers.far}/remote-port.mjs`)).text());
  await using program = startProgram({ file, args: [link, '--name', 'lab', '--listen', '0'] });
  await expect(shareBar(owner)).toContainText('Shared with 1 guest');
  await setRight(owner, 'lab', 'Use');
  const [, url = ''] = await program.until(/esptool --port (\S+) flash_id/);
  const run = async (...args: string[]) => {
    const running = promisify(execFile)(python, [...first, '--port', url, ...args], { env, timeout: 150_000 });
    const { stdout } = await running.catch((error: { stdout?: string; stderr?: string }) => {
      throw new Error(`esptool failed:\n${error.stdout}\n${error.stderr}\n${program.text()}`);
    });
    return stdout;
  };
  const data = join(folder.path, 'image.bin');
  writeFileSync(data, image);
  const place = `0x${offset.toString(16)}`;
  expect(await run('flash_id')).toMatch(/MAC:\s+24:0a:c4:12:34:56/);
  expect(await run('--baud', '921600', 'write_flash', place, data)).toContain('Hash of data verified');
  expect(await run('--baud', '921600', 'verify_flash', place, data)).toMatch(/digest matched/i);
  expectWritten(device, image);
  program.interrupt();
  expect(await program.exited).toBe(0);
  await expect(owner.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
});
