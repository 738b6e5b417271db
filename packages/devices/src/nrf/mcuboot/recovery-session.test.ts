import { describe, expect, it } from 'vitest';
import { bytesOf, hexOf } from '../../testing/hex.ts';
import { demoKey, signingKey } from '../crypto/signing-key.ts';
import { applicationImage } from '../firmware/application.ts';
import type { McubootOptions, NrfDeviceOptions } from '../options.ts';
import { NrfHost } from '../testing/nrf-host.ts';
import { byteString, key, number, smpAnswers, smpRequest } from '../testing/smp-host.ts';
import { mcubootImage } from './image.ts';

const board = (mcuboot: McubootOptions = {}, options: Partial<NrfDeviceOptions> = {}) =>
  new NrfHost({ board: 'nrf52840-mcuboot-usb', powerUp: 'bootloader', mcuboot, ...options }).open();

const program = applicationImage({ text: 'hello from the new one\r\n', size: 10_000, seed: 9 });
const image = mcubootImage(program, { version: '2.3.4+5', key: demoKey });
const rc = (code: number) => `bf627263${code.toString(16).padStart(2, '0')}ff`;

/** Sends a request. Returns the bodies of the answers. */
async function ask(host: NrfHost, op: number, group: number, id: number, body: readonly number[], milliseconds = 5) {
  const answers = smpAnswers(await host.raw(smpRequest(op, group, id, body), milliseconds));
  return answers.map((answer) => answer.body).join(' ');
}

const list = (host: NrfHost) => ask(host, 0, 1, 0, [0xa0]);

function uploadBody(bytes: Uint8Array, offset: number, size: number, imageNumber?: number): number[] {
  const entries = [...key('data'), ...byteString(bytes), ...key('off'), ...number(offset)];
  const first = offset === 0 ? [...key('len'), ...number(size)] : [];
  const numbered = imageNumber === undefined ? [] : [...key('image'), imageNumber];
  return [0xbf, ...entries, ...first, ...numbered, 0xff];
}

async function upload(host: NrfHost, bytes: Uint8Array, imageNumber?: number, piece = 256): Promise<string> {
  let answer = '';
  for (let at = 0; at < bytes.length; at += piece) {
    answer = await ask(host, 2, 1, 1, uploadBody(bytes.subarray(at, at + piece), at, bytes.length, imageNumber));
  }
  return answer;
}

const setState = (host: NrfHost, hash: Uint8Array, confirm: boolean) =>
  ask(host, 2, 1, 0, [0xa2, ...key('hash'), ...byteString(hash), ...key('confirm'), confirm ? 0xf5 : 0xf4]);

/** The hash TLV directly follows the program. */
const hashOf = (signed: Uint8Array) => signed.slice(0x200 + 10_000 + 8, 0x200 + 10_000 + 40);

describe('serial recovery', () => {
  it('echoes, says its buffer, and knows no other commands', async () => {
    const host = await board();
    expect(await ask(host, 2, 0, 0, [0xa1, ...key('d'), ...key('hello')])).toBe('bf61726568656c6c6fff');
    expect(await ask(host, 0, 0, 6, [0xa0])).toBe('bf686275665f73697a65190400696275665f636f756e7401ff');
    expect(await ask(host, 2, 0, 1, [0xa0])).toBe(rc(0));
    expect(await ask(host, 0, 0, 2, [0xa0])).toBe(rc(8));
    expect(await ask(host, 2, 1, 5, [0xa0])).toBe(rc(8));
    expect(await ask(host, 0, 8, 0, [0xa0])).toBe(rc(8));
    const old = await board({ echo: false, params: false });
    expect(await ask(old, 2, 0, 0, [0xa1, ...key('d'), ...key('hello')])).toBe(rc(8));
    expect(await ask(old, 0, 0, 6, [0xa0])).toBe(rc(8));
  });

  it('answers with the request’s number, version and command, and the operation behind it', async () => {
    const host = await board();
    const [answer] = smpAnswers(await host.raw(smpRequest(0x08 | 2, 0, 0, [0xa1, ...key('d'), ...key('x')], 0x42)));
    expect(answer?.header).toBe('0b00000600004200');
  });

  it('writes lines of at most 127 bytes and reads such lines', async () => {
    const host = await board();
    const text = 'a line that is longer than one frame can carry, and so has to be continued in another';
    const body = [0xa1, ...key('d'), 0x78, text.length, ...Buffer.from(text)];
    const received = Buffer.from(await host.raw(smpRequest(2, 0, 0, body))).toString('latin1');
    const lines = received.split('\n');
    expect(lines.map((line) => line.slice(0, 2))).toEqual(['\x06\x09', '\x04\x14', '']);
    expect(Math.max(...lines.map(({ length }) => length + 1))).toBeLessThanOrEqual(127);
    expect(await ask(host, 2, 0, 0, body)).toContain(hexOf(Buffer.from(text)));
  });

  it('reads the upload of MCUboot’s own test', async () => {
    const host = await board();
    // boot_serial_img_msg.c: 16 bytes of A5, a length of 0x114e8, offset 0.
    const payload = bytesOf('a364646174615810a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5636c656e1a000114e8636f666600');
    expect(await ask(host, 2, 1, 1, [...payload])).toBe('bf62726300636f666610ff');
    expect(host.device.flash.read(0xc000, 16)).toEqual(new Uint8Array(16).fill(0xa5));
  });

  it('ignores packets that are too long, invalid, or have a bad checksum', async () => {
    const host = await board();
    const good = smpRequest(2, 0, 0, [0xa1, ...key('d'), ...key('hello')]);
    expect(await host.raw(good.with(9, good[9] === 0x41 ? 0x42 : 0x41))).toEqual(new Uint8Array());
    expect(await host.raw(Buffer.from('hello\n'))).toEqual(new Uint8Array());
    expect(
      await ask(host, 2, 0, 0, [0xa1, ...key('d'), 0x79, 0x04, 0x00, ...new Array<number>(1_024).fill(0x61)]),
    ).toBe('');
    expect(smpAnswers(await host.raw(good)).length).toBe(1);
  });

  it('lists the images in its slots', async () => {
    const host = await board({ secondSlot: image });
    const text = Buffer.from(await list(host), 'hex').toString('latin1');
    expect(text).toMatch(/images.*bootable.*confirmed.*active.*slot.*version.*1\.0\.0.*bootable.*slot.*2\.3\.4\.5/s);
    expect(await list(await board({}, { content: 'empty' }))).toBe('bf66696d616765739fffff');
    const bare = await board({ imageState: false }, { content: mcubootImage(program, { key: demoKey }) });
    expect(await list(bare)).toBe('bf66696d616765739fbf64736c6f74006776657273696f6e65312e302e30ffffff');
  });

  it('takes an image into the first slot, and runs it after a reset', async () => {
    const host = await board();
    expect(await upload(host, image)).toBe(`bf62726300636f666619${(image.length).toString(16)}ff`);
    expect(await ask(host, 2, 0, 5, [0xa0])).toBe(rc(0));
    await host.clock.advance(200);
    expect(host.device.state).toBe('bootloader');
    await host.clock.advance(500);
    expect(host.device.state).toBe('running');
    expect(host.terminal.text).toBe('hello from the new one\r\n');
  });

  it('says where it is when another offset comes, and starts again at offset 0', async () => {
    const host = await board();
    await ask(host, 2, 1, 1, uploadBody(image.subarray(0, 256), 0, image.length));
    expect(await ask(host, 2, 1, 1, uploadBody(image.subarray(512, 768), 512, image.length))).toBe(
      'bf62726300636f6666190100ff',
    );
    expect(await ask(host, 2, 1, 1, uploadBody(image.subarray(0, 128), 0, image.length))).toBe(
      'bf62726300636f66661880ff',
    );
    host.device.pressReset('with-boot-button');
    await host.clock.advance(100);
    expect(await ask(host, 2, 1, 1, uploadBody(image.subarray(128, 256), 128, image.length))).toBe(
      'bf62726300636f666600ff',
    );
  });

  it('takes whole words and asks again for the rest', async () => {
    const host = await board();
    expect(await ask(host, 2, 1, 1, uploadBody(image.subarray(0, 23), 0, image.length))).toBe('bf62726300636f666614ff');
    expect(await ask(host, 2, 1, 1, uploadBody(Uint8Array.of(1, 2, 3), 0, 3))).toBe('bf62726300636f666603ff');
  });

  it('refuses an upload that does not fit, has no length, no data, or goes beyond its length', async () => {
    const host = await board();
    expect(await ask(host, 2, 1, 1, uploadBody(image.subarray(0, 16), 0, 0x76001))).toBe(rc(3));
    expect(await ask(host, 2, 1, 1, [0xa2, ...key('data'), 0x41, 0x00, ...key('off'), 0x00])).toBe(rc(3));
    expect(await ask(host, 2, 1, 1, [0xa1, ...key('off'), 0x00])).toBe(rc(3));
    expect(await ask(host, 2, 1, 1, uploadBody(image.subarray(0, 16), 0, 16, 1))).toBe(rc(3));
    expect(host.device.flash.erasedBytes).toBe(0);
    await ask(host, 2, 1, 1, uploadBody(image.subarray(0, 16), 0, 20));
    expect(await ask(host, 2, 1, 1, uploadBody(image.subarray(16, 32), 16, 20))).toBe(rc(3));
  });

  it.each([
    ['signed with another key', 'running', mcubootImage(program, { key: signingKey('somebody else') })],
    ['not signed', 'running', mcubootImage(program, { key: null })],
    ['damaged', 'bootloader', image.with(5_000, (image[5_000] ?? 0) ^ 1)],
    ['without its end', 'bootloader', image.subarray(0, image.length - 150)],
  ])('takes an image that is %s, and neither lists nor runs it', async (_what, withoutKey, bad) => {
    const host = await board();
    await upload(host, bad);
    expect(await list(host)).toBe('bf66696d616765739fffff');
    await ask(host, 2, 0, 5, [0xa0]);
    await host.clock.advance(1_000);
    expect(host.device.state).toBe('bootloader');
    const open = await board({ publicKey: null });
    await upload(open, bad);
    await ask(open, 2, 0, 5, [0xa0]);
    await open.clock.advance(1_000);
    expect(open.device.state).toBe(withoutKey);
  });

  it('tests an image in the second slot: swapped in, and kept once the application confirms', async () => {
    const host = await board({ directUpload: true });
    await upload(host, image, 2);
    expect(await setState(host, hashOf(image), false)).toMatch(new RegExp(hexOf(Buffer.from('pending'))));
    await ask(host, 2, 0, 5, [0xa0]);
    await host.clock.advance(1_000);
    expect(host.terminal.text).toBe('hello from the new one\r\n');
    host.device.pressReset();
    await host.clock.advance(1_000);
    expect(host.terminal.text).toBe('hello from the new one\r\n'.repeat(2));
  });

  it('swaps back at the next start if the image did not confirm itself or was not permanent', async () => {
    for (const [confirm, expected] of [
      [false, 'factory firmware'],
      [true, 'hello from the new one'],
    ] as const) {
      const host = await board({ directUpload: true, applicationConfirms: false });
      await upload(host, image, 2);
      expect((await setState(host, hashOf(image), confirm)).includes(hexOf(Buffer.from('permanent')))).toBe(confirm);
      await ask(host, 2, 0, 5, [0xa0]);
      await host.clock.advance(1_000);
      expect(host.terminal.text).toContain('hello from the new one');
      host.terminal.take();
      host.device.pressReset();
      await host.clock.advance(1_000);
      expect(host.terminal.text).toContain(expected);
    }
  });

  it('does not swap in an image that cannot run', async () => {
    const host = await board({ directUpload: true });
    await upload(host, image.with(700, 0), 2);
    expect(await setState(host, hashOf(image), true)).toBe(rc(5));
    expect(await ask(host, 2, 1, 0, [0xa1, ...key('confirm'), 0xf5])).not.toContain('6272');
    await ask(host, 2, 0, 5, [0xa0]);
    await host.clock.advance(1_000);
    expect(host.terminal.text).toContain('factory firmware');
    expect(host.device.flash.read(0x82000, 8)).toEqual(new Uint8Array(8).fill(0xff));
  });

  it('refuses invalid states, and all states if built without them', async () => {
    const host = await board();
    expect(await ask(host, 2, 1, 0, [0xa1, ...key('hash'), 0x41, 0x00])).toBe(rc(3));
    expect(await ask(host, 2, 1, 0, [0xa1, ...key('confirm'), 0x01])).toBe(rc(3));
    expect(await setState(await board({ imageState: false }), hashOf(image), true)).toBe(rc(8));
  });

  it('says the sizes of its slots', async () => {
    const text = Buffer.from(await ask(await board(), 0, 1, 6, [0xa0]), 'hex').toString('latin1');
    expect(text).toMatch(/images.*image.*slots.*slot.*dsize.*slot.*dsize.*upload_image_id/s);
  });

  it('waits for a host at each start if it was built so', async () => {
    const host = new NrfHost({ board: 'nrf52840-mcuboot', mcuboot: { waitForHost: 500 } });
    await host.open();
    expect(host.device.state).toBe('bootloader');
    await host.clock.advance(600);
    expect(host.device.state).toBe('running');
    host.device.pressReset();
    await host.clock.advance(100);
    await list(host);
    await host.clock.advance(5_000);
    expect(host.device.state).toBe('bootloader');
  });

  it('erases as it goes, in the time of the chip', async () => {
    const host = await board({}, { profile: 'real-flash' });
    const first = uploadBody(image.subarray(0, 256), 0, image.length);
    expect(await ask(host, 2, 1, 1, first, 80)).toBe('');
    await host.clock.advance(10);
    expect(smpAnswers(host.terminal.take()).length).toBe(1);
    // Still in the same page: 64 words of 41 µs.
    expect(await ask(host, 2, 1, 1, uploadBody(image.subarray(256, 512), 256, image.length), 5)).not.toBe('');
  });
});
