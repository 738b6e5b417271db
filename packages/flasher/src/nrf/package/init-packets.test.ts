import { randomSeeds } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { fromHex } from '../../testing/from-hex.ts';
import { noise } from '../../testing/program.ts';
import { initPacketOf } from '../testing/packages.ts';
import { readLegacyInitPacket } from './dfu-package.ts';
import { readInitPacket } from './init-packet.ts';

describe('the init packet of secure DFU', () => {
  it('is read as nrfutil 6 wrote it, signed (pc-nrfutil, tests/resources/blinky_mbr_sdk160.zip)', () => {
    const packet = fromHex(
      '1288010a420801123e080110341a010020002800300038e40b422408031220e97309e8ac81c04875d749ef0eb33fe033f6ce27a750e1bcd012a' +
        '61f480ccdf5480152040801120010001a40fcb863ae97bc64f93b8ce91aa9be2e63eaebdcc05e067ccdfdfa54dbfa67f4eb42221c4323b78f' +
        'ea38b70ab7e20db0ad5a87e822990a33aaf574be67b47e55d5',
    );
    expect(readInitPacket(packet)).toEqual({
      type: 'application',
      firmwareVersion: 1,
      hardwareVersion: 52,
      softdevices: [0],
      softdeviceSize: 0,
      bootloaderSize: 0,
      applicationSize: 1_508,
      hash: 'f5cd0c481fa612d0bce150a727cef633e03fb30eef49d77548c081ace80973e9',
      isDebug: true,
      signed: true,
    });
  });

  it('is read as nrfutil wrote it for a SoftDevice (pc-nrfutil, tests/resources/hrs_application_s140_sdk160.zip)', () => {
    const packet = fromHex(
      '128d010a4708011243080110341a05ca01fe950320002800300038f0fd054224080312209993262a610bd53be9e8f7ff259aaad1e93197135c10' +
        '97d5f3e0717c6e41ba75480152040801120010001a40d37d6c4d3b22b4e751f6ee81c72aed00d2e5c9ea56711d2a3c4e9a9ad08e2f98a49be' +
        '603e546ed8b2092aafbbca2c9e24eb47705e1c7acce7d36483743580e3a',
    );
    expect(readInitPacket(packet)).toMatchObject({
      softdevices: [0xca, 0xcafe],
      applicationSize: 98_032,
      signed: true,
    });
  });

  it('is read without a signature (pc-nrfutil, tests/resources/test_package.zip)', () => {
    const packet = fromHex(
      '0a4408011240080010341a028c0120002800300038aca001422408031220037261d33bb5a8ae1bf01afe92afbfd8334119f3b69fc76848413da75f' +
        '8303514800520408011200',
    );
    expect(readInitPacket(packet)).toMatchObject({
      firmwareVersion: 0,
      hardwareVersion: 52,
      softdevices: [140],
      applicationSize: 20_524,
      isDebug: false,
      signed: false,
    });
  });

  it('is null if it is truncated anywhere, or has an empty signature', () => {
    const packet = initPacketOf(noise(100));
    for (let end = 0; end < packet.length; end++) {
      expect(readInitPacket(packet.subarray(0, end))).toBeNull();
    }
    expect(readInitPacket(initPacketOf(noise(100), { signature: new Uint8Array() }))).toBeNull();
  });

  it('never throws for any bytes', () => {
    for (const seed of randomSeeds(2_000)) {
      expect(() => readInitPacket(noise(seed % 90, seed))).not.toThrow();
    }
  });
});

describe('the legacy init packet', () => {
  it('is read with its CRC behind the SoftDevices, and with the extended part (adafruit-nrfutil, test_init_packet.py)', () => {
    expect(readLegacyInitPacket(fromHex('01000200eeffeeff03005704ae08050d00000000aefa'))).toEqual({
      deviceType: 1,
      deviceRevision: 2,
      applicationVersion: 0xffeeffee,
      softdevices: [1_111, 2_222, 3_333],
      crc16: 0xfaae,
      length: null,
      hash: null,
      signed: false,
    });
    expect(readLegacyInitPacket(fromHex('5200ffffffffffff0100feffd7ef'))).toMatchObject({
      deviceType: 0x52,
      deviceRevision: null,
      applicationVersion: null,
      softdevices: [],
      crc16: 0xefd7,
    });
  });

  it('is read with length, hash and signature', () => {
    const proof = `02000000${'64000000'}${'11'.repeat(32)}${'22'.repeat(64)}`;
    expect(readLegacyInitPacket(fromHex(`520000ff010000000000${proof}`))).toMatchObject({
      crc16: null,
      length: 100,
      hash: '11'.repeat(32),
      signed: true,
    });
  });

  it('is null if it is too short for its SoftDevices, or has no checksum', () => {
    expect(readLegacyInitPacket(fromHex('5200ffffffffffff0900feff0000'))).toBeNull();
    expect(readLegacyInitPacket(fromHex('5200ffffffffffff0000'))).toBeNull();
    expect(readLegacyInitPacket(fromHex('5200'))).toBeNull();
  });
});
