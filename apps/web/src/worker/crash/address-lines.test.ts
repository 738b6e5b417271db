import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { Bench } from '@wirebench/serial';
import { expect, it } from 'vitest';
import { AddressLines } from './address-lines.ts';

const code = [{ low: 0x4008_0000, high: 0x400a_0000 }];

/** Returns the entry of the list of crashes that the lines of a log become. */
async function entryOf(log: string) {
  const clock = new VirtualClock(1_000_000);
  const bench = new Bench({ clock, ringBytes: 64 * 1_024, onReceived: () => undefined, onSent: () => undefined });
  const device = new FakeSerialPort();
  await bench.connect(1, device, defaultPortSettings);
  device.receive(new TextEncoder().encode(log));
  await clock.settle();
  const lines = new AddressLines(bench, 1);
  lines.setRanges(code);
  const decoder = new TextDecoder();
  while (lines.advance(() => false, decoder)) {
    // Reads to the end of the log.
  }
  return lines.incident;
}

const linesOf = async (log: string) => (await entryOf(log))?.lines.map(({ text }) => text) ?? [];

it('a start of an ESP32 is no entry although it names addresses of the program', async () => {
  const boot = `ets Jul 29 2019 12:21:46

rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)
configsip: 0, SPIWP:0xee
mode:DIO, clock div:2
load:0x3fff0030,len:7084
load:0x40080400,len:3480
entry 0x4008069c
\u001b[0;32mI (31) boot: ESP-IDF v5.1 2nd stage bootloader\u001b[0m
I (86) esp_image: segment 2: paddr=0x00018d18 vaddr=0x40080000 size=0x072f8
I (260) cpu_start: Starting app cpu, entry point is 0x40081084
I (300) heap_init: At 0x4008f4b8 len 00010b48 (66 KiB): IRAM
I (320) main_task: Calling app_main()
`;
  expect(await linesOf(boot)).toEqual([]);
  expect(await linesOf(`${boot}callback at 0x40081084\n`)).toEqual(['callback at 0x40081084']);
});

it('a start of an ESP8266 is no entry either', async () => {
  expect(
    await linesOf(' ets Jan  8 2013,rst cause:2, boot mode:(3,6)\n\nload 0x40080000, len 7636, room 16\n'),
  ).toEqual([]);
});

it('an address behind a long prefix is found, and its line is shown with an ellipsis', async () => {
  const entry = await entryOf(`${'pod/monitor '.repeat(50)}callback at 0x40081084\n`);
  expect(entry?.lines[0]?.addresses.map(({ value }) => value)).toEqual([0x4008_1084]);
  expect(entry?.lines[0]?.text).toMatch(/^pod.{396}…$/);
});

it('lines and addresses that are left out are said', async () => {
  const missing = async (log: string) => (await entryOf(log))?.lines.map((line) => line.missing)[0];
  const line = 'callback at 0x40081084\n';
  expect(await missing(line.repeat(400))).toBeUndefined();
  expect(await missing(line.repeat(401))).toBe('Only the newest 400 of these lines are kept.');
  expect(await missing(`${'0x40081084 '.repeat(257)}\n`)).toBe('Only the first 256 addresses of a line are kept.');
});
