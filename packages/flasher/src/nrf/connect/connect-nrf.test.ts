/**
 * Connects to scripted boards: the order of requests, and the reaction to silence, unrelated output and a pulled
 * cable.
 */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { asciiBytes, hexOf } from '../../core/bytes.ts';
import { fromHex } from '../../testing/from-hex.ts';
import { sendFrames } from '../../testing/scripted-answers.ts';
import { encodeLines } from '../mcuboot/console-lines.ts';
import type { NrfBoard, NrfConnectOptions, NrfConnectStep } from '../nrf-board.ts';
import { connectNrf } from './connect-nrf.ts';

const bridge = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
const feather = { usbVendorId: 0x239a, usbProductId: 0x8029 };
const featherBootloader = { usbVendorId: 0x239a, usbProductId: 0x0029 };

class Rig {
  readonly clock = new VirtualClock(1_000);
  readonly steps: NrfConnectStep[] = [];
  text = '';
  ended = 0;

  async connect(port: SerialPort, options: Partial<NrfConnectOptions> = {}): Promise<NrfBoard> {
    const connecting = connectNrf(port, {
      clock: this.clock,
      onStep: (step) => this.steps.push(step),
      onText: (bytes) => {
        this.text += String.fromCharCode(...bytes);
      },
      ...options,
    });
    let isOver = false;
    const end = () => {
      isOver = true;
      this.ended = this.clock.now();
    };
    connecting.then(end, end);
    for (await this.clock.settle(); !isOver && this.clock.now() < 100_000; ) {
      await this.clock.advance(10);
    }
    return connecting;
  }
}

/** Answers each frame of secure DFU by its hexadecimal text. */
function secureBootloader(port: FakeSerialPort, answers: (request: string) => string | undefined): void {
  port.onWrite = (bytes) => {
    for (const frame of hexOf(bytes).split('c0')) {
      const answer = frame === '' ? undefined : answers(frame);
      if (answer !== undefined) {
        port.receive(fromHex(`${answer}c0`));
      }
    }
  };
}

const answersOfSecure = (request: string): string | undefined => {
  if (request.startsWith('09')) {
    return `600901${request.slice(2)}`;
  }
  const known: Readonly<Record<string, string>> = {
    '07': '6007018300',
    '020000': '600201',
    '0a': '600a014028050030444141000010000000040000100000',
    '0b00': '600b01020100000000800f0000600000',
    '0b01': '600b01ff000000000000000000000000',
    '0602': '600601001000000000000000000000',
  };
  return known[request];
};

describe('connecting to a Nordic board', () => {
  it('asks the secure bootloader first, and no other when it answers', async () => {
    const port = new FakeSerialPort(bridge);
    secureBootloader(port, answersOfSecure);
    const rig = new Rig();
    const board = await rig.connect(port);
    expect(board.info).toMatchObject({
      bootloader: 'secure-dfu',
      link: 'uart',
      part: 'nRF52840',
      flashSize: 1_048_576,
      ramSize: 262_144,
      unfinished: null,
    });
    expect(board.info.slots).toMatchObject([{ name: 'bootloader', version: '1' }]);
    expect(rig.steps).toEqual(['opening', 'asking', 'ready']);
    // No frame begins with a delimiter, because the bootloader would repeat its last request for an empty frame.
    expect(port.writes.map((bytes) => bytes[0])).toEqual([0x09, 0x07, 0x02, 0x0a, 0x0b, 0x0b, 0x06]);
    await board.close();
    expect(port.calls.at(-1)).toBe('close');
  });

  it('asks an old bootloader only the questions that it knows', async () => {
    const port = new FakeSerialPort(bridge);
    secureBootloader(port, (request) =>
      /^(09|07|0200|06)/.test(request) ? answersOfSecure(request) : `60${request.slice(0, 2)}02`,
    );
    const { info } = await new Rig().connect(port);
    expect(info).toMatchObject({ bootloader: 'secure-dfu', part: null, flashSize: null, slots: [], room: null });
  });

  it('asks again when an answer is lost', async () => {
    const port = new FakeSerialPort(bridge);
    let pings = 0;
    let mtus = 0;
    secureBootloader(port, (request) => {
      const isLost = (request.startsWith('09') && ++pings < 3) || (request === '07' && ++mtus === 1);
      return isLost ? undefined : answersOfSecure(request);
    });
    expect((await new Rig().connect(port)).info.part).toBe('nRF52840');
  });

  it('ends the line of earlier requests before it asks MCUboot', async () => {
    const port = new FakeSerialPort(bridge);
    const lines: string[] = [];
    port.onWrite = (bytes) => {
      const text = String.fromCharCode(...bytes);
      if (text.startsWith('\x06\x09')) {
        lines.push(text);
        const packet = Uint8Array.from(atob(text.slice(2, -1)), (character) => character.charCodeAt(0)).slice(2, -2);
        // Result 8 means "not supported", which is an answer too.
        const body = fromHex('a162726308');
        port.receive(encodeLines(Uint8Array.of((packet[0] ?? 0) + 1, 0, 0, 5, ...packet.subarray(4, 8), ...body)));
      }
    };
    const board = await new Rig().connect(port);
    expect(board.info).toMatchObject({ bootloader: 'mcuboot', slots: [], canTest: false });
    const first = port.writes.findIndex((bytes) => bytes[0] === 6);
    expect(port.writes[first - 1]).toEqual(Uint8Array.of(0x0a));
  });

  it('asks the legacy bootloader last, with a packet that does nothing', async () => {
    const port = new FakeSerialPort(bridge);
    port.onWrite = (bytes) => {
      if (bytes[0] === 0xc0) {
        sendFrames(port, '100000f0');
      }
    };
    const board = await new Rig().connect(port);
    expect(board.info).toMatchObject({ bootloader: 'adafruit-dfu', link: 'uart' });
    const question = port.writes.at(-1) ?? new Uint8Array();
    expect(hexOf(question).startsWith('c0d14e00e102000000')).toBe(true);
  });

  it('asks only the chosen bootloader', async () => {
    const port = new FakeSerialPort(bridge);
    await expect(new Rig().connect(port, { bootloader: 'mcuboot' })).rejects.toMatchObject({
      code: 'nothing-at-all',
    });
    expect(port.writes.every((bytes) => bytes[0] === 0x0a || bytes[0] === 0x06)).toBe(true);
  });

  it('resets a silent board on a bridge by DTR, unless that is off', async () => {
    const port = new FakeSerialPort(bridge);
    const rig = new Rig();
    await expect(rig.connect(port)).rejects.toMatchObject({ code: 'nothing-at-all', state: 'unchanged' });
    expect(port.calls).toContain('lines - RTS');
    expect(port.calls.at(-1)).toBe('close');
    expect(rig.ended - 1_000).toBeLessThan(5_000);
    const untouched = new FakeSerialPort(bridge);
    await expect(new Rig().connect(untouched, { touch: false })).rejects.toMatchObject({ code: 'nothing-at-all' });
    expect(untouched.calls.some((call) => call.startsWith('lines'))).toBe(false);
  });

  it('distinguishes a printing board from a silent one', async () => {
    const port = new FakeSerialPort(bridge);
    port.onWrite = () => port.receive(asciiBytes('temperature 21.5\r\n'));
    const rig = new Rig();
    await expect(rig.connect(port)).rejects.toMatchObject({ code: 'no-bootloader' });
    expect(rig.text).toContain('temperature 21.5');
  });

  it('touches an application of an Adafruit board and continues with the port that comes', async () => {
    const application = new FakeSerialPort(feather);
    const bootloader = new FakeSerialPort(featherBootloader);
    bootloader.onWrite = (bytes) => {
      if (bytes[0] === 0xc0) {
        sendFrames(bootloader, '100000f0');
      }
    };
    const rig = new Rig();
    const board = await rig.connect(application, { returned: () => Promise.resolve(bootloader) });
    expect(application.calls).toEqual([expect.stringMatching(/^open 1200 /), 'lines - -', 'close']);
    expect(board.info).toMatchObject({ bootloader: 'adafruit-dfu', link: 'usb' });
    expect(board.baudRate).toBeNull();
    expect(rig.steps).toEqual(['opening', 'touching', 'waiting-for-bootloader', 'asking', 'ready']);
  });

  it('reports that the returned port is not permitted for this page', async () => {
    await expect(new Rig().connect(new FakeSerialPort(feather))).rejects.toMatchObject({
      code: 'came-back-different',
    });
    const never = { returned: () => new Promise<SerialPort>(() => undefined) };
    const rig = new Rig();
    await expect(rig.connect(new FakeSerialPort(feather), never)).rejects.toMatchObject({
      code: 'came-back-different',
    });
    expect(rig.ended - 1_000).toBeLessThan(10_000);
  });

  it('ends within a second when the cable is pulled, and at once when it is cancelled', async () => {
    const port = new FakeSerialPort(bridge);
    port.onWrite = () => {
      if (port.writes.length === 2) {
        void port.unplug({ hangs: true });
      }
    };
    const rig = new Rig();
    await expect(rig.connect(port)).rejects.toMatchObject({ name: 'NrfError', code: 'unplugged' });
    expect(rig.ended - 1_000).toBeLessThan(1_500);
    const cancel = new AbortController();
    const quiet = new FakeSerialPort(bridge);
    quiet.onWrite = () => cancel.abort();
    const other = new Rig();
    await expect(other.connect(quiet, { signal: cancel.signal })).rejects.toMatchObject({ code: 'cancelled' });
    expect(other.ended).toBeLessThan(1_200);
    expect(quiet.calls.at(-1)).toBe('close');
  });

  it('reports that another program holds the port', async () => {
    const port = new FakeSerialPort(bridge);
    port.openError = new DOMException('busy', 'NetworkError');
    await expect(new Rig().connect(port)).rejects.toMatchObject({ name: 'NrfError', code: 'port-busy' });
  });
});
