import { describe, expect, it } from 'vitest';
import { joined } from '../../byte-fields.ts';
import { demoKey, signingKey } from '../crypto/signing-key.ts';
import { applicationImage } from '../firmware/application.ts';
import { secureInitPacket } from '../firmware/secure-package.ts';
import type { NrfDeviceOptions } from '../options.ts';
import { softDeviceImage } from '../soft-device.ts';
import { NrfHost, u32 } from '../testing/nrf-host.ts';
import { writeField } from './protobuf.ts';

const usb = (options: Partial<NrfDeviceOptions> = {}) =>
  new NrfHost({ board: 'nrf52840-secure', powerUp: 'bootloader', ...options }).open();
const uart = (options: Partial<NrfDeviceOptions> = {}) =>
  new NrfHost({ board: 'nrf52832-secure', powerUp: 'bootloader', ...options }).open();

const image = applicationImage({ text: 'hello from the new one\r\n', size: 10_000, seed: 9 });
const init = secureInitPacket({ kind: 'application', image });
/** CRC-32 by the definition, without a table. */
function crcOf(bytes: Uint8Array): string {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return u32(~crc >>> 0)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
const hex32 = (value: number) =>
  u32(value)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

describe('secure DFU', () => {
  it('answers a ping with its number, and says its protocol, MTU and hardware', async () => {
    const host = await usb();
    expect(await host.ask([0x09, 0x2a])).toBe('6009012a');
    expect(await host.ask([0x00])).toBe('60000101');
    expect(await host.ask([0x02, 0, 0])).toBe('600201');
    expect(await host.ask([0x07])).toBe('6007010308');
    // Part 52840, variant AAD0, 1 MiB of flash, 256 KiB of RAM, pages of 4096.
    expect(await host.ask([0x0a])).toBe('600a01402805003044414100001000000004000010 0000'.replace(' ', ''));
    expect(await (await uart()).ask([0x07])).toBe('6007018300');
  });

  it('lists bootloader and application, and nothing behind them', async () => {
    const host = await usb({ secure: { applicationVersion: 7, bootloaderVersion: 3 } });
    expect(await host.ask([0x0b, 0])).toMatch(/^600b010203000000/);
    expect(await host.ask([0x0b, 1])).toBe(`600b0101${hex32(7)}${hex32(0x1000)}${hex32(20_480)}`);
    expect(await host.ask([0x0b, 2])).toBe(`600b01ff${hex32(0).repeat(3)}`);
  });

  it('does not know other requests, and wants whole ones', async () => {
    const host = await usb();
    expect(await host.ask([0x05])).toBe('600502');
    expect(await host.ask([0x42])).toBe('604202');
    expect(await host.ask([0x01, 0x01])).toBe('600103');
    expect(await host.ask([0x06, 0x07])).toBe('600605');
  });

  it('takes an application, restarts with it, and says its text', async () => {
    const host = await usb({ content: 'empty' });
    expect(await host.ask([0x06, 0x01])).toBe('600601000200000000000000000000');
    expect(await host.sendInit(init)).toBe('600401');
    expect(await host.ask([0x06, 0x02])).toBe('600601001000000000000000000000');
    expect(await host.sendFirmware(image)).toBe('600401');
    await host.clock.advance(500);
    expect(host.device.state).toBe('running');
    expect(host.terminal.text).toBe('hello from the new one\r\n');
    expect(host.device.flash.read(0x1000, image.length)).toEqual(image);
    expect(host.device.usbIds).toEqual({ usbVendorId: 0x1915, usbProductId: 0x520f });
  });

  it('keeps the old application until the new one is whole and right', async () => {
    const host = await usb();
    await host.sendInit(init);
    await host.sendFirmware(image.subarray(0, 8_192));
    host.device.pressReset('once');
    await host.clock.advance(100);
    expect(host.device.state).toBe('bootloader');
    host.terminal.wired.detach();
    expect(host.device.usbIds.usbProductId).toBe(0x521f);
    expect(new TextDecoder().decode(host.device.flash.read(0x1100, 80))).toContain('factory firmware');
  });

  it('gives offset and checksum after each object, and at receipts', async () => {
    const host = await usb();
    await host.sendInit(init);
    await host.ask([0x02, 2, 0]);
    await host.ask([0x01, 0x02, ...u32(4_096)]);
    expect(await host.ask([0x08, ...image.subarray(0, 100)])).toBe('');
    expect(await host.ask([0x08, ...image.subarray(100, 200)])).toBe(
      `600301${hex32(200)}${crcOf(image.subarray(0, 200))}`,
    );
    expect(await host.ask([0x08, ...image.subarray(200, 300)])).toBe('');
    expect(await host.ask([0x03])).toBe(`600301${hex32(300)}${crcOf(image.subarray(0, 300))}`);
  });

  it.each([
    ['another key', { key: signingKey('somebody else') }, '600405'],
    ['no signature', { key: null }, '60040b08'],
    ['other hardware', { hwVersion: 51 }, '60040b06'],
    ['a lower version', { fwVersion: 1 }, '60040b05'],
    ['a SoftDevice that is not there', { sdReq: [0x0100] }, '60040b07'],
  ])('refuses an init packet with %s, before anything is erased', async (_what, options, answer) => {
    const host = await usb({ secure: { applicationVersion: 2 } });
    const bad = secureInitPacket({ kind: 'application', image }, { fwVersion: 2, ...options });
    expect(await host.sendInit(bad)).toBe(answer);
    expect(await host.ask([0x01, 0x02, ...u32(4_096)])).toBe('600108');
    expect(host.device.flash.erasedBytes).toBe(0);
  });

  it('takes the same version again, and a lower one where that is allowed', async () => {
    const packet = (fwVersion: number) => secureInitPacket({ kind: 'application', image }, { fwVersion });
    expect(await (await usb({ secure: { applicationVersion: 5 } })).sendInit(packet(5))).toBe('600401');
    const open = await usb({ secure: { applicationVersion: 5, preventDowngrade: false } });
    expect(await open.sendInit(packet(4))).toBe('600401');
    const unsigned = await usb({ secure: { requireSignature: false } });
    expect(await unsigned.sendInit(secureInitPacket({ kind: 'application', image }, { key: null }))).toBe('600401');
    const debug = await usb({ secure: { debug: true, applicationVersion: 5 } });
    const marked = secureInitPacket({ kind: 'application', image }, { isDebug: true, hwVersion: 1, fwVersion: 1 });
    expect(await debug.sendInit(marked)).toBe('600401');
  });

  it('refuses an invalid init packet, one with a flipped bit, and one of the wrong length', async () => {
    const host = await usb();
    expect(await host.sendInit(Uint8Array.of(0xff, 0xff, 0xff))).toBe('600405');
    expect(await host.sendInit(init.with(12, (init[12] ?? 0) ^ 1))).not.toBe('600401');
    await host.ask([0x01, 0x01, ...u32(init.length)]);
    await host.write(init.subarray(0, 20));
    expect(await host.ask([0x04])).toBe('600408');
    expect(await host.ask([0x01, 0x01, ...u32(513)])).toBe('600104');
    expect(await host.ask([0x01, 0x01, ...u32(0)])).toBe('600103');
  });

  it('requires objects of whole pages, within the limit and before the end', async () => {
    const host = await usb();
    await host.sendInit(init);
    expect(await host.ask([0x01, 0x02, ...u32(100)])).toBe('600103');
    expect(await host.ask([0x01, 0x02, ...u32(8_192)])).toBe('600104');
    await host.sendFirmware(image.subarray(0, 8_192));
    expect(await host.ask([0x01, 0x02, ...u32(4_096)])).toBe('600108');
    await host.ask([0x01, 0x02, ...u32(10_000 - 8_192)]);
    expect(await host.ask([0x04])).toBe('600408');
  });

  it('finds out firmware that is not the one of its init packet, and starts the bootloader again', async () => {
    const host = await usb({ secure: { singleBank: true } });
    await host.sendInit(init);
    expect(await host.sendFirmware(image.with(9_999, (image[9_999] ?? 0) ^ 1))).toBe('60040b0c');
    await host.clock.advance(500);
    expect(host.device.state).toBe('bootloader');
    expect(await host.ask([0x06, 0x02])).toBe('600601001000000000000000000000');
  });

  it('names the fault of a signed packet', async () => {
    const hash = (type: number) => writeField(8, joined(writeField(1, type), writeField(2, new Uint8Array(32))));
    const versions = joined(writeField(1, 2), writeField(2, 52), writeField(4, 0));
    const signed = (fields: Uint8Array, signatureType = 0, length = 64) => {
      const command = joined(writeField(1, 1), writeField(2, fields));
      const bytes = demoKey.sign(fields);
      const signature = joined(bytes.subarray(0, 32).toReversed(), bytes.subarray(32).toReversed()).subarray(0, length);
      return writeField(2, joined(writeField(1, command), writeField(2, signatureType), writeField(3, signature)));
    };
    const cases = [
      [signed(joined(versions, writeField(7, 4_096), hash(3)), 1), '60040b0b'],
      [signed(joined(versions, writeField(7, 4_096), hash(3)), 0, 60), '60040a'],
      [signed(joined(versions, writeField(7, 4_096), hash(1))), '60040b09'],
      [signed(joined(versions, hash(3))), '60040b04'],
      [signed(joined(versions, writeField(4, 9), writeField(7, 4_096), hash(3))), '60040b04'],
      [signed(joined(writeField(1, 2), writeField(4, 0), writeField(7, 4_096), hash(3))), '60040b04'],
      // Without a SoftDevice, its check detects the missing version (`sd_req_ok`).
      [signed(joined(writeField(2, 52), writeField(4, 0), writeField(7, 4_096), hash(3))), '60040b07'],
    ] as const;
    for (const [packet, answer] of cases) {
      expect(await (await usb()).sendInit(packet)).toBe(answer);
    }
  });

  it('takes a bootloader of a higher version only, and one that fits', async () => {
    const bootloader = (fwVersion: number, size = 8_192) => {
      const bytes = applicationImage({ text: '', size, seed: 4 });
      return { bytes, packet: secureInitPacket({ kind: 'bootloader', image: bytes }, { fwVersion }) };
    };
    const host = await usb({ secure: { bootloaderVersion: 3 } });
    expect(await host.sendInit(bootloader(3).packet)).toBe('60040b05');
    expect(await host.sendInit(bootloader(4, 0x20000).packet)).toBe('600404');
    const { bytes, packet } = bootloader(4);
    expect(await host.sendInit(packet)).toBe('600401');
    expect(await host.sendFirmware(bytes)).toBe('600401');
    await host.clock.advance(500);
    expect(host.device.state).toBe('bootloader');
    expect(await host.ask([0x0b, 0])).toMatch(/^600b010204000000/);
    // The bootloader waits ten seconds for an application, and then starts the old one.
    await host.clock.advance(12_000);
    expect(host.terminal.text).toContain('factory firmware');
  });

  it('refuses an application that is declared as a SoftDevice', async () => {
    const host = await usb({ content: 'empty' });
    await host.sendInit(secureInitPacket({ kind: 'softDevice', image }));
    expect(await host.sendFirmware(image)).toBe('600405');
  });

  it('puts an application that needs no SoftDevice in the place of one', async () => {
    const host = await usb({ secure: { softDevice: 0x0100 } });
    expect(await host.ask([0x0b, 1])).toBe(`600b0100${hex32(7_002_000)}${hex32(0x1000)}${hex32(0x27000)}`);
    const packet = (sdReq: number[]) => secureInitPacket({ kind: 'application', image }, { sdReq });
    expect(await host.sendInit(packet([0x0123]))).toBe('60040b07');
    expect(await host.sendInit(packet([0, 0x0123]))).toBe('60040b07');
    expect(await host.sendInit(packet([0, 0x0100]))).toBe('600401');
    expect(await host.sendFirmware(image)).toBe('600401');
    await host.clock.advance(500);
    expect(host.terminal.text).toBe('hello from the new one\r\n');
    expect(host.device.flash.read(0x1000, 16)).toEqual(image.slice(0, 16));
  });

  it('talks at the rate of its application once that runs', async () => {
    const host = new NrfHost({ board: 'nrf52832-secure', appBaudRate: 9_600 }, { pace: 'wire' });
    host.terminal.open({ baudRate: 9_600, dataBits: 8, stopBits: 1, parity: 'none' });
    await host.clock.advance(500);
    expect(host.terminal.text).toContain('factory firmware');
    host.device.pressReset('with-boot-button');
    await host.clock.advance(100);
    expect(await host.ask([0x09, 1], 50)).toBe('');
    host.terminal.open({ baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' });
    await host.raw(Uint8Array.of(0xc0));
    expect(await host.ask([0x09, 1], 50)).toBe('60090101');
  });

  it('refuses an image without room for it', async () => {
    const host = await uart();
    const large = applicationImage({ text: '', size: 0x80000 });
    expect(await host.sendInit(secureInitPacket({ kind: 'application', image: large }))).toBe('600404');
  });

  it('continues where it was while it has power, within an object too', async () => {
    const host = await usb();
    await host.sendInit(init);
    await host.sendFirmware(image.subarray(0, 4_096));
    await host.ask([0x01, 0x02, ...u32(4_096)]);
    await host.write(image.subarray(4_096, 5_000));
    host.terminal.wired.close();
    await host.open();
    expect(await host.ask([0x06, 0x01])).toBe(`60060100020000${hex32(init.length)}${crcOf(init)}`);
    expect(await host.ask([0x04])).toBe('600401');
    expect(await host.ask([0x06, 0x02])).toBe(`60060100100000${hex32(5_000)}${crcOf(image.subarray(0, 5_000))}`);
    await host.write(image.subarray(5_000, 8_192));
    expect(await host.ask([0x04])).toBe('600401');
    expect(await host.sendFirmware(image, 8_192)).toBe('600401');
    await host.clock.advance(500);
    expect(host.terminal.text).toContain('hello from the new one');
  });

  it.each([
    [true, 4_096],
    [false, 0],
  ])(
    'keeps the init packet over a reset, and executed objects if it saves progress: %s',
    async (saveProgress, offset) => {
      const host = await usb({ secure: { saveProgress } });
      await host.sendInit(init);
      await host.sendFirmware(image.subarray(0, 4_096));
      await host.ask([0x01, 0x02, ...u32(4_096)]);
      await host.write(image.subarray(4_096, 5_000));
      host.device.pressReset('once');
      await host.clock.advance(100);
      expect(await host.ask([0x06, 0x01])).toBe(`60060100020000${hex32(init.length)}${crcOf(init)}`);
      expect(await host.ask([0x04])).toBe('600401');
      expect(await host.ask([0x06, 0x02])).toBe(
        `60060100100000${hex32(offset)}${offset === 0 ? hex32(0) : crcOf(image.subarray(0, offset))}`,
      );
      expect(await host.sendFirmware(image, offset)).toBe('600401');
    },
  );

  it('takes a SoftDevice, waits for the application that goes with it, and runs that', async () => {
    const host = await usb({ content: 'empty' });
    const softDevice = { kind: 'softDevice', image: softDeviceImage(0x0123) } as const;
    expect(await host.sendInit(secureInitPacket(softDevice))).toBe('600401');
    expect(await host.sendFirmware(softDevice.image)).toBe('600401');
    await host.clock.advance(1_000);
    expect(host.device.state).toBe('bootloader');
    const application = {
      kind: 'application',
      image: applicationImage({ text: 'on a SoftDevice', address: 0x27000 }),
    } as const;
    expect(await host.sendInit(secureInitPacket(application, { sdReq: [0x0100] }))).toBe('60040b07');
    expect(await host.sendInit(secureInitPacket(application, { sdReq: [0x0100, 0x0123] }))).toBe('600401');
    expect(await host.sendFirmware(application.image)).toBe('600401');
    await host.clock.advance(500);
    expect(host.terminal.text).toContain('on a SoftDevice');
    expect(host.device.flash.read(0x27000, 16)).toEqual(application.image.slice(0, 16));
  });

  it('takes the time of the chip for its flash', async () => {
    const host = await usb({ profile: 'real-flash' });
    expect(await host.ask([0x01, 0x01, ...u32(init.length)])).toBe('600101');
    await host.write(init);
    expect(await host.ask([0x04], 80)).toBe('');
    await host.clock.advance(100);
    expect(await host.ask([0x01, 0x02, ...u32(4_096)], 84)).toBe('');
    await host.clock.advance(2);
    await host.write(image.subarray(0, 4_096));
    // 1024 words of 41 µs.
    expect(await host.ask([0x03], 40)).toBe('');
    expect(await host.ask([0x09, 1], 5)).toBe(`600301${hex32(4_096)}${crcOf(image.subarray(0, 4_096))} 60090101`);
  });

  it('restarts when it is asked to abort, and after a time of silence if it was built so', async () => {
    const host = await usb({ secure: { inactivityTimeout: 120_000 } });
    expect(await host.ask([0x0c])).toBe('600c01');
    await host.clock.advance(100);
    expect(host.device.state).toBe('running');
    host.device.pressReset();
    await host.clock.advance(119_000);
    expect(await host.ask([0x09, 1])).toBe('60090101');
    await host.clock.advance(119_000);
    expect(host.device.state).toBe('bootloader');
    await host.clock.advance(2_000);
    expect(host.device.state).toBe('running');
  });

  it('passes over a frame that is too long or badly escaped', async () => {
    const host = await uart();
    expect(await host.ask([0x09, ...new Array<number>(200).fill(1)])).toBe('');
    expect(await host.raw(Uint8Array.of(0x09, 0xdb, 0x01, 0xc0))).toEqual(new Uint8Array());
    expect(await host.ask([0x09, 5])).toBe('60090105');
  });
});
