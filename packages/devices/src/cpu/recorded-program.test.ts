/**
 * Programs recorded on genuine ROM code: loaded and started as recorded, they give the recorded answers. The
 * recordings contain their bytes. The firmware answers READ_REG and WRITE_REG and has operations of its own. E1
 * samples the pins and counts the cycles, E2 reads samples back, E3 scans I2C.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../byte-fields.ts';
import { EspHost } from '../esp/testing/esp-host.ts';
import { SlipReceiver } from '../slip.ts';
import { hexOf } from '../testing/hex.ts';
import { TimerGroup } from '../wire/timer-group.ts';
import { programIn } from './ram-program.ts';

const op = { uploaded: 0x07, start: 0x06, sample: 0xe1 };

interface Line {
  readonly tx?: string;
  readonly rx?: string;
}

interface Exchange {
  readonly sent: string;
  readonly answers: readonly string[];
}

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** Returns the sent frames, each with the answers that came before the next one. */
function recorded(chip: string): Exchange[] {
  const text = readFileSync(join(import.meta.dirname, '../esp/testing/lab-recordings', `${chip}-ram.jsonl`), 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
  const requests = lines.flatMap(({ tx }, index) => (tx === undefined ? [] : [{ tx, index }]));
  return requests.map(({ tx, index }, number) => {
    const answers = lines
      .slice(index + 1, requests[number + 1]?.index)
      .flatMap(({ rx }) => (rx === undefined ? [] : [rx]));
    return { sent: tx, answers };
  });
}

/** Parses a request's opcode and data. */
function request(hex: string): { readonly opcode: number; readonly data: Uint8Array } {
  const [frame = new Uint8Array(8)] = new SlipReceiver(8_192, { opens: 'end-each', strict: true }).receive(
    bytesOf(hex),
  );
  return { opcode: frame[1] ?? 0, data: frame.subarray(8) };
}

/** The program in RAM, an I2C controller with one device, and pins, of which three are high on the ESP32-C3. */
class ScriptedRegisters {
  readonly #words: ReadonlyMap<number, number>;
  readonly #chip: 'esp32' | 'esp32c3';
  #sent: number[] = [];
  #raw = 0;

  constructor(chip: 'esp32' | 'esp32c3', code: Uint8Array, address: number) {
    this.#chip = chip;
    const view = viewOf(code);
    this.#words = new Map(
      Array.from({ length: code.length >> 2 }, (_, index) => [address + index * 4, view.getUint32(index * 4, true)]),
    );
  }

  ramWords(): Iterable<readonly [number, number]> {
    return this.#words;
  }

  read(address: number): number {
    if (address === this.#base + 0x20) {
      return this.#raw;
    }
    // GPIO_IN: the program keeps four bits from pin 4 on.
    return address === 0x6000403c ? 0x70 : 0;
  }

  /** Only the device at 0x48 acknowledges. */
  write(address: number, value: number): boolean {
    if (address === 0x6001301c) {
      this.#sent.push(value & 0xff);
    } else if (address === this.#base + 0x24) {
      this.#raw &= ~value;
    } else if (address === this.#base + 0x04 && (value & 0x20) !== 0) {
      this.#raw |= this.#sent.at(-1) === 0x48 << 1 ? 0x80 : 0x480;
    }
    return true;
  }

  get #base(): number {
    return this.#chip === 'esp32' ? 0x3ff53000 : 0x60013000;
  }
}

describe.each([
  { chip: 'esp32', entry: 0x40090000 },
  { chip: 'esp32c3', entry: 0x40390000 },
] as const)('a recorded program on an $chip', ({ chip, entry }) => {
  it('is loaded into the chip, greets and reads registers as recorded', async () => {
    const host = new EspHost({ chip });
    host.open();
    await host.enterDownload();
    await host.sync();
    for (const { sent, answers } of recorded(chip).slice(0, 5)) {
      host.terminal.take();
      host.terminal.wired.send(bytesOf(sent));
      await host.clock.advance(20);
      expect(hexOf(host.terminal.take())).toBe(answers.join(''));
    }
    expect(host.device.state).toBe('program');
  });

  it('scans I2C and takes samples as recorded', async () => {
    const clock = new VirtualClock();
    const exchanges = recorded(chip);
    const upload = exchanges.map(({ sent }) => request(sent)).find(({ opcode }) => opcode === op.uploaded);
    const received: number[] = [];
    const program = programIn(chip, entry, {
      clock,
      timers: new TimerGroup(clock),
      memory: new ScriptedRegisters(chip, upload?.data.subarray(16) ?? new Uint8Array(), entry),
      link: 'uart',
      crystal: 40,
      baudRate: 115_200,
      setRate: () => undefined,
      transmit: (bytes) => received.push(...bytes),
      crash: () => expect.unreachable(),
    });
    await clock.advance(20);
    const started = exchanges.findIndex(({ sent }) => request(sent).opcode === op.start);
    for (const { sent, answers } of exchanges.slice(started + 2)) {
      received.length = 0;
      program?.receive(bytesOf(sent));
      await clock.advance(50);
      // The answer's value is the duration of the samples, which depends on the recorded emulator's speed. It is
      // masked.
      const isCount = request(sent).opcode === op.sample;
      const shown = (frame: string) => (isCount ? frame.replace(/^(.{10}).{8}/, '$1xxxxxxxx') : frame);
      expect(shown(hexOf(Uint8Array.from(received)))).toBe(shown(answers.join('')));
    }
    expect(exchanges.length - started).toBeGreaterThan(4);
  });
});
