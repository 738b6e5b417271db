/** The content of demo boards, as their chips see it. */
import { createPublicKey, verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPartitions } from '../boot/partitions.ts';
import { espChips } from '../chips/index.ts';
import { type EspDeviceOptions, espChipNames } from '../options.ts';
import { EspHost } from '../testing/esp-host.ts';
import { demoContent, holdsDemoLayout } from './demo-content.ts';
import { factoryContent } from './factory.ts';
import { espFirmwareSet } from './firmware-set.ts';
import { securedBoard } from './secured-board.ts';
import { signedImage } from './signed-image.ts';

const flashSize = 0x400000;
const withPartitions = espChipNames.filter((name) => !name.startsWith('esp8'));

async function started(options: EspDeviceOptions) {
  const host = new EspHost(options);
  host.open();
  return { host, text: await host.restart() };
}

describe('a demo board', () => {
  it.each(withPartitions)('with an %s starts its first slot and lists all partitions', async (chip) => {
    const { host, text } = await started({ chip, flash: { content: 'demo' } });
    expect(host.device.state).toBe('running');
    expect(text).toContain('Loaded app from partition at offset 0x10000');
    expect(text).toContain('App version:      1.0.0');
    const read = (offset: number, length: number) => host.device.flash.read(offset, length);
    const partitions = readPartitions(read);
    expect(Array.isArray(partitions) && partitions.map(({ label }) => label)).toEqual([
      'nvs',
      'otadata',
      'phy_init',
      'ota_0',
      'storage',
      'coredump',
      'ota_1',
    ]);
  });

  it('keeps each part within a partition, and no two in the same place', () => {
    const flash = new Uint8Array(flashSize).fill(0xff);
    for (const { offset, data } of demoContent(espChips.esp32, flashSize)) {
      expect(flash.subarray(offset, offset + data.length).every((byte) => byte === 0xff)).toBe(true);
      flash.set(data, offset);
    }
    expect(new TextDecoder().decode(flash.subarray(0x110008 + 4, 0x110008 + 12))).toBe('littlefs');
  });

  it('starts the second slot when otadata names it', async () => {
    const second = new Uint8Array(32).fill(0xff);
    second.set([2, 0, 0, 0]);
    new DataView(second.buffer).setUint32(28, crc32(second.subarray(0, 4), 0xffffffff), true);
    const content = [...demoContent(espChips.esp32, flashSize), { offset: 0xe000, data: second }];
    const { text } = await started({ chip: 'esp32', flash: { content } });
    expect(text).toContain('Loaded app from partition at offset 0x140000');
    expect(text).toContain('App version:      0.9.0');
  });

  it('has the factory content where the layout does not fit', () => {
    expect(holdsDemoLayout(espChips.esp8266, flashSize)).toBe(false);
    expect(demoContent(espChips.esp32, 0x200000)).toEqual(factoryContent(espChips.esp32, 0x200000));
  });

  it('keeps its partitions when the demo firmware is flashed', () => {
    const table = espFirmwareSet({ chip: 'esp32', project: 'p', version: '1', text: '' }).find(
      ({ offset }) => offset === 0x8000,
    );
    expect(table?.data).toEqual(demoContent(espChips.esp32, flashSize)[1]?.data);
  });
});

describe('a secured demo board', () => {
  const options = () => ({ chip: 'esp32c3' as const, ...securedBoard() });

  it('starts signed programs from encrypted flash', async () => {
    const { host, text } = await started(options());
    expect(host.device.state).toBe('running');
    expect(text).toContain('Loaded app from partition at offset 0x10000');
    // The first byte of a plain image is e9.
    expect(host.device.flash.read(0, 1)).not.toEqual(Uint8Array.of(0xe9));
  });

  it('has the digest of the key of its signature blocks in a key block, and hides the other key', async () => {
    const { host } = await started(options());
    await host.enterDownload();
    const block = signedImage(new Uint8Array(0x1000)).subarray(0x1000);
    const key = block.subarray(36, 812);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', key));
    const read = async (address: number) => {
      const [answer = ''] = await host.ask(
        0x0a,
        Uint8Array.from([address, address >> 8, address >> 16, address >> 24]),
      );
      return answer.slice(8, 16);
    };
    const words = [];
    for (let index = 0; index < 8; index++) {
      words.push(await read(0x60008800 + 0xbc + index * 4));
    }
    expect(words.join('')).toBe(Buffer.from(digest).toString('hex'));
    expect(await read(0x60008800 + 0x9c)).toBe('00000000');
    expect(await read(0x60008800 + 0x30)).toBe('01000000');
  });

  it('does not start an unsigned bootloader', async () => {
    const content = demoContent(espChips.esp32c3, flashSize);
    const { security } = securedBoard();
    const { host, text } = await started({ chip: 'esp32c3', security: security ?? {}, flash: { content } });
    expect(text).toContain('secure boot verification failed');
    expect(host.device.state).toBe('boot-loop');
  });

  it('has signature blocks with the hash of the image, the inverse of the modulus and a checksum', () => {
    const image = Uint8Array.from({ length: 5_000 }, (_, index) => index);
    const block = signedImage(image).subarray(0x2000);
    expect(block.length).toBe(1_216);
    const number = (start: number, length: number) =>
      block.subarray(start, start + length).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
    const modulus = number(36, 384);
    expect(number(424, 384)).toBe((1n << 6_144n) % modulus);
    expect(BigInt.asUintN(32, modulus * number(808, 4))).toBe(BigInt.asUintN(32, -1n));
  });

  it('has signatures that the public key verifies', () => {
    const image = Uint8Array.from({ length: 5_000 }, (_, index) => index);
    const whole = signedImage(image);
    const block = whole.subarray(0x2000);
    const key = { kty: 'RSA', n: Buffer.from(block.slice(36, 420).reverse()).toString('base64url'), e: 'AQAB' };
    // 6 is RSASSA-PSS.
    const by = { key: createPublicKey({ key, format: 'jwk' }), padding: 6, saltLength: 32 };
    expect(verify('sha256', whole.subarray(0, 0x2000), by, block.slice(812, 1_196).reverse())).toBe(true);
    expect(verify('sha256', whole.subarray(0, 0x1fff), by, block.slice(812, 1_196).reverse())).toBe(false);
  });
});
