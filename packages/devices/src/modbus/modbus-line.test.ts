import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { DeviceTerminal } from '../testing/device-terminal.ts';
import { bytesOf, hexOf } from '../testing/hex.ts';
import { ModbusLine, modbusCrc } from './modbus-line.ts';

function listening() {
  const clock = new VirtualClock(1_000_000);
  const terminal = new DeviceTerminal(new ModbusLine(), clock);
  terminal.open();
  return { clock, terminal, ask: (hex: string) => terminal.wired.send(withChecksum(bytesOf(hex))) };
}

function withChecksum(frame: Uint8Array): Uint8Array {
  const crc = modbusCrc(frame);
  return Uint8Array.of(...frame, crc & 0xff, crc >> 8);
}

/** Cuts the stream where a checksum comes out right. */
function framesIn(bytes: Uint8Array): string[] {
  const frames: string[] = [];
  for (let from = 0, to = 4; to <= bytes.length; to++) {
    if (modbusCrc(bytes.subarray(from, to)) === 0) {
      frames.push(hexOf(bytes.subarray(from, to)));
      from = to;
      to += 3;
    }
  }
  return frames;
}

/** Asks once, a second before anything else is on the line, and returns the answer without its checksum. */
async function answerTo(hex: string) {
  const { clock, terminal, ask } = listening();
  ask(hex);
  await clock.advance(200);
  const answer = terminal.take();
  expect(modbusCrc(answer)).toBe(0);
  return hexOf(answer.subarray(0, -2));
}

describe('modbusCrc', () => {
  it('is 0 over frames from the field', () => {
    for (const hex of ['010300F30038B42B', '010300800002C5E3', '0103040DF207BC5AED']) {
      expect(modbusCrc(bytesOf(hex))).toBe(0);
    }
  });
});

describe('Modbus line, listening', () => {
  it('carries the questions of a controller and the answers of three devices', async () => {
    const { clock, terminal } = listening();
    await clock.advance(8_000);
    const frames = framesIn(terminal.bytes);
    expect(frames.join('')).toBe(hexOf(terminal.bytes));
    const headers = new Set(frames.map((frame) => frame.slice(0, 4)));
    // Drive, valve block, flow meter and its exception; the tank level is only asked.
    expect([...headers].sort()).toEqual(['0703', '0904', '0c05', '1504', '1584']);
    expect(frames.filter((frame) => frame.startsWith('0904'))).toHaveLength(1);
    expect(frames.filter((frame) => frame.startsWith('158402'))).toHaveLength(1);
  });

  it('rests while a host asks, and goes on five seconds later', async () => {
    const { clock, terminal, ask } = listening();
    await clock.advance(900);
    terminal.take();
    ask('070300000001');
    await clock.advance(4_900);
    expect(framesIn(terminal.take())).toHaveLength(1);
    await clock.advance(2_000);
    expect(framesIn(terminal.take()).length).toBeGreaterThan(2);
  });
});

describe('Modbus line, asked by a host', () => {
  it.each([
    ['reads registers', '0703000a0001', '07030205c8'],
    ['reads no register beyond the last', '0703000f0002', '078302'],
    ['reads no more than 125 registers', '07030000007e', '078303'],
    ['reads coils', '0c010000000c', '0c01020000'],
    ['reads inputs', '0c0200000004', '0c02010f'],
    ['writes a coil', '0c05000bff00', '0c05000bff00'],
    ['writes a coil with no other value', '0c05000b0001', '0c8503'],
    ['writes a register', '0706000a0400', '0706000a0400'],
    ['writes several coils', '0c0f0000000a02ff03', '0c0f0000000a'],
    ['writes several registers', '0710000b0002040001fffe', '0710000b0002'],
    ['writes no registers with another count of bytes', '0710000b0002030001ff', '079003'],
    ['knows no other function', '0707', '078701'],
    ['says who it is', '072b0e0400', `072b0e0481000001000e${hexOf(new TextEncoder().encode('Wirebench demo'))}`],
  ])('%s', async (_, request, answer) => {
    expect(await answerTo(request)).toBe(answer);
  });

  it('keeps what was written', async () => {
    const { clock, terminal, ask } = listening();
    ask('0706000a0400');
    await clock.advance(200);
    terminal.take();
    ask('0703000a0001');
    await clock.advance(200);
    expect(hexOf(terminal.take()).slice(0, 10)).toBe('0703020400');
  });

  it.each([
    ['a damaged frame', '070300000001ffff'],
    ['another unit', '0803000000018493'],
    ['a broadcast', '000600000001491b'],
  ])('does not answer %s', async (_, hex) => {
    const { clock, terminal } = listening();
    terminal.wired.send(bytesOf(hex));
    await clock.advance(500);
    expect(terminal.take()).toEqual(new Uint8Array());
  });
});
