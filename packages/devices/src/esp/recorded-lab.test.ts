/**
 * Sessions of instruments made of register commands, recorded with genuine ESP32 and ESP32-C3 ROM code in an
 * emulator. The simulated chips have to give the same answers. The recordings are in testing/lab-recordings; their
 * notes describe the actions outside the chip.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Breadboard } from '../breadboard/breadboard.ts';
import { SpiFlash } from '../breadboard/parts/spi-flash.ts';
import { Tmp105 } from '../breadboard/parts/tmp105.ts';
import { pushCharacter, SignalSource, Wave } from '../breadboard/wave.ts';
import { bytesOf, hexOf } from '../testing/hex.ts';
import { LabRig } from './testing/lab-rig.ts';

interface Line {
  readonly tx?: string;
  readonly rx?: string;
  readonly note?: string;
}

type Act = (note: string, rig: LabRig) => void;

function linesOf(name: string): Line[] {
  const text = readFileSync(new URL(`testing/lab-recordings/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Line);
}

/** Removes a frame's delimiters and escapes. */
const plain = (frame: string) => {
  const bytes = [...bytesOf(frame)].slice(1, -1);
  return bytes.flatMap((byte, at) =>
    byte === 0xdb ? [] : bytes[at - 1] === 0xdb ? [byte === 0xdc ? 0xc0 : 0xdb] : [byte],
  );
};

/**
 * Replays the host's frames, and expects the recorded answers in order.
 * @param bits Bits of a READ answer to compare. The others depend on a note or on another session.
 */
async function replay(
  lines: readonly Line[],
  rig: LabRig,
  act: Act = () => undefined,
  bits = 0xffffffff,
): Promise<void> {
  const expected: string[] = [];
  const got: string[] = [];
  for (const { tx, rx, note } of lines) {
    if (note !== undefined) {
      act(note, rig);
    } else if (rx !== undefined) {
      expected.push(hexOf(Uint8Array.from(plain(rx))));
    } else {
      got.push(...(await rig.host.raw(bytesOf(tx ?? ''), 25)));
    }
  }
  expect(got.length).toBeGreaterThan(0);
  expect(got.map((frame) => masked(frame, bits))).toEqual(expected.map((frame) => masked(frame, bits)));
}

function masked(frame: string, bits: number): string {
  const value = Number.parseInt(frame.slice(8, 16).replace(/(..)(..)(..)(..)/, '$4$3$2$1'), 16);
  return `${frame.slice(0, 8)} ${((value & bits) >>> 0).toString(16)} ${frame.slice(16)}`;
}

const chips = [
  { chip: 'esp32', sda: 21, scl: 22, gpio: 4, adc: { pin: 34, range: 3.3 }, rx: 26, tx: 25 },
  { chip: 'esp32c3', sda: 4, scl: 5, gpio: 10, adc: { pin: 3, range: 2.5 }, rx: 7, tx: 6 },
] as const;

describe.each(chips)('recorded with an $chip', ({ chip, sda, scl, gpio, adc, rx, tx }) => {
  it('lists of entries and reads', async () => {
    await replay(linesOf(`${chip}-list`), await LabRig.open(chip, new Breadboard()));
  });

  it('a pin that is driven and that drives', async () => {
    const act: Act = (note, { board }) => {
      const level = /outside drives ([01])/.exec(note)?.[1];
      if (level !== undefined) {
        board.hold(gpio, level === '1' ? 'high' : 'low');
      } else {
        board.open(gpio);
      }
    };
    // The other bits of IN are remains of earlier sessions on other pins.
    await replay(linesOf(`${chip}-gpio`), await LabRig.open(chip, new Breadboard()), act, 2 ** gpio);
  });

  it('a scan of the I2C bus', async () => {
    const board = new Breadboard();
    board.addI2c(sda, scl, [new Tmp105(0x48)]);
    await replay(linesOf(`${chip}-i2c-scan`), await LabRig.open(chip, board));
  });

  it('a thermometer on the I2C bus', async () => {
    const board = new Breadboard();
    const thermometer = new Tmp105(0x48);
    board.addI2c(sda, scl, [thermometer]);
    const act: Act = (note) => {
      thermometer.temperature = note.includes('again') ? -10.0625 : 25;
    };
    await replay(linesOf(`${chip}-i2c-tmp105`), await LabRig.open(chip, board), act);
  });

  it('conversions of a voltage', async () => {
    const act: Act = (note, { board }) => {
      const raw = Number(/at raw (\d+)/.exec(note)?.[1]);
      board.hold(adc.pin, (raw / 4_095) * adc.range);
    };
    await replay(linesOf(`${chip}-adc`), await LabRig.open(chip, new Breadboard()), act);
  });

  it('a PWM set up and changed', async () => {
    await replay(linesOf(`${chip}-pwm`), await LabRig.open(chip, new Breadboard()));
  });

  it('the second UART both ways, and bytes eaten by sending', async () => {
    const lines = linesOf(`${chip}-uart1`);
    const rig = await LabRig.open(chip, new Breadboard());
    const wave = new Wave(1);
    rig.board.net(rx).add(new SignalSource(wave), 0);
    const sent = rig.board.capture(tx);
    const peer = (bytes: readonly number[]) => {
      let at = rig.board.now - 20;
      for (const byte of bytes) {
        at = pushCharacter(wave, at, byte, 1_000 / 115_200);
      }
    };
    // The peer's bytes are in the answers to the reads of the FIFO. One READ asks for the count.
    const reads = lines.flatMap(({ rx: frame }) => (frame?.startsWith('c0010a') ? [plain(frame)[4] ?? 0] : []));
    const act: Act = (note) => {
      if (note.includes('peer sent')) {
        peer(reads.slice(1, 24));
      } else if (note.includes('wait')) {
        peer([1, 2, 3, 4, 5, 6, 7, 8]);
      }
    };
    await replay(lines, rig, act);
    expect(charactersIn(sent.edges(), 1_000 / 115_200)).toBe('Hello from a bare ROM\r\nxy');
  });

  it('a program loaded into RAM, before its start', async () => {
    const lines = linesOf(`${chip}-ram`);
    const start = lines.findIndex(({ note }) => note === 'MEM_END');
    await replay(lines.slice(0, start), await LabRig.open(chip, new Breadboard()));
  });
});

describe('recorded with an esp32', () => {
  it('the id of a flash chip over SPI', async () => {
    const board = new Breadboard();
    board.addSpi({ clock: 14, out: 13, in: 12, select: 15 }, new SpiFlash([0xef, 0x30, 0x15]));
    await replay(linesOf('esp32-spi2'), await LabRig.open('esp32', board));
  });
});

/** Decodes the 8N1 characters in a series of edges. */
function charactersIn(edges: readonly { readonly time: number; readonly level: number }[], bitTime: number): string {
  const levelAt = (time: number) => edges.findLast((edge) => edge.time <= time)?.level ?? 1;
  let text = '';
  let free = Number.NEGATIVE_INFINITY;
  for (const { time, level } of edges) {
    if (level === 0 && time >= free) {
      const bits = Array.from({ length: 8 }, (_, bit) => levelAt(time + (bit + 1.5) * bitTime) << bit);
      text += String.fromCharCode(bits.reduce((all, bit) => all | bit));
      free = time + 9.5 * bitTime;
    }
  }
  return text;
}
