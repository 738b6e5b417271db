import { describe, expect, it } from 'vitest';
import { burntEfuses } from '../testing/efuse-words.ts';

const key = Uint8Array.from({ length: 32 }, (_, index) => index + 1);

describe('decoded eFuses', () => {
  it('have the names and values of a summary', async () => {
    const efuses = await burntEfuses('esp32s3', {
      SECURE_BOOT_EN: 1,
      KEY_PURPOSE_1: 9,
      BLOCK_KEY1: key,
      SPI_BOOT_CRYPT_CNT: 5,
      WAFER_VERSION_MINOR_LO: 2,
      MAC: Uint8Array.of(0x3c, 0x4b, 0xe0, 0xa1, 0xdf, 0x7c),
      CUSTOM_MAC: Uint8Array.of(0x02, 1, 2, 3, 4, 5),
    });
    expect(efuses.get('SECURE_BOOT_EN')).toMatchObject({ text: 'True', raw: '0b1', readable: true, writable: true });
    expect(efuses.get('SPI_BOOT_CRYPT_CNT')).toMatchObject({ number: 5, raw: '0b101' });
    expect(efuses.get('KEY_PURPOSE_1')?.text).toBe('SECURE_BOOT_DIGEST0');
    expect(efuses.get('BLOCK_KEY1')?.text).toMatch(/^01 02 03 .* 1f 20$/);
    expect(efuses.get('WAFER_VERSION_MINOR')).toMatchObject({ text: '2', raw: '0x2' });
    expect(efuses.get('MAC')?.text).toBe('7c:df:a1:e0:4b:3c (OK)');
    expect(efuses.get('CUSTOM_MAC')?.text).toBe('02:01:02:03:04:05 (OK)');
    expect(efuses.get('NO_SUCH_FIELD')).toBeNull();
  });

  it('have question marks and no number if their block is hidden from reading', async () => {
    const efuses = await burntEfuses('esp32c3', { RD_DIS: 0b10, KEY_PURPOSE_1: 4, WR_DIS: 2 ** 24 });
    expect(efuses.get('BLOCK_KEY1')).toMatchObject({ readable: false, writable: false });
    expect(efuses.get('BLOCK_KEY1')?.text).toBe(Array.from({ length: 32 }, () => '??').join(' '));
    expect(efuses.get('BLOCK_KEY0')).toMatchObject({ readable: true, writable: true });
    const c2 = await burntEfuses('esp32c2', { RD_DIS: 0b01, BLOCK_KEY0_HI_128: key.subarray(0, 16) });
    expect(c2.get('BLOCK_KEY0')?.text).toMatch(/^(\?\? ){16}01 02 03 .* 10$/);
    expect(c2.get('BLOCK_KEY0_LOW_128')?.readable).toBe(false);
    expect(c2.get('BLOCK_KEY0_HI_128')?.readable).toBe(true);
    const esp32 = await burntEfuses('esp32', { RD_DIS: 0b1000, CODING_SCHEME: 0 });
    expect(esp32.number('CODING_SCHEME')).toBeNull();
  });

  it('have six words a block in the 3/4 coding of the ESP32', async () => {
    const block = { BLOCK1: key };
    expect((await burntEfuses('esp32', block)).get('BLOCK1')?.bytes).toHaveLength(32);
    expect((await burntEfuses('esp32', { ...block, CODING_SCHEME: 1 })).get('BLOCK1')?.bytes).toEqual(
      key.subarray(0, 24),
    );
  });

  it('include the checksum of the MAC of the ESP32', async () => {
    const MAC = Uint8Array.of(0x58, 0x6e, 0x5a, 0x7e, 0xb9, 0x94);
    expect((await burntEfuses('esp32', { MAC, MAC_CRC: 0xe2 })).get('MAC')?.text).toBe(
      '94:b9:7e:5a:6e:58 (CRC 0xe2 OK)',
    );
    expect((await burntEfuses('esp32', { MAC, MAC_CRC: 1 })).get('MAC')?.text).toBe(
      '94:b9:7e:5a:6e:58 (CRC 0x01 invalid - calculated 0xe2)',
    );
  });

  it('have millivolts, pins and readings in place of their codes', async () => {
    const efuses = await burntEfuses('esp32', {
      ADC_VREF: 0b1_0011,
      SPI_PAD_CONFIG_HD: 31,
      BLK3_PART_RESERVE: 1,
      ADC1_TP_LOW: 0b111_1111,
    });
    expect(['ADC_VREF', 'SPI_PAD_CONFIG_HD', 'ADC1_TP_LOW'].map((name) => efuses.get(name)?.text)).toEqual([
      '1079',
      '33',
      '274',
    ]);
    const later = await burntEfuses('esp32c6', { BLK_VERSION_MINOR: 1, TEMP_CALIB: 0b1_0000_0011 });
    expect(later.get('TEMP_CALIB')?.text).toBe('-0.3');
  });

  it('include calibration and a custom MAC only on boards that have them', async () => {
    expect((await burntEfuses('esp32c3', { BLK_VERSION_MAJOR: 0 })).get('OCODE')).toBeNull();
    expect((await burntEfuses('esp32c3', { BLK_VERSION_MAJOR: 1 })).get('OCODE')).not.toBeNull();
    expect((await burntEfuses('esp32', {})).get('CUSTOM_MAC')).toBeNull();
    expect((await burntEfuses('esp32', { MAC_VERSION: 1 })).get('CUSTOM_MAC')).not.toBeNull();
    expect((await burntEfuses('esp32h2', { WAFER_VERSION_MAJOR: 1 })).get('ECDSA_FORCE_USE_HARDWARE_K')).not.toBeNull();
    expect((await burntEfuses('esp32h2', { WAFER_VERSION_MAJOR: 2 })).get('ECDSA_FORCE_USE_HARDWARE_K')).toBeNull();
  });

  it('follow the revision of the ESP32-P4, with purposes of five bits from 3.0 on', async () => {
    const first = await burntEfuses('esp32p4', { KEY_PURPOSE_0: 9 }, { revision: { major: 1, minor: 0 } });
    expect([first.get('KEY_PURPOSE_0')?.text, first.get('KEY_PURPOSE_0_H')]).toEqual(['SECURE_BOOT_DIGEST0', null]);
    const third = await burntEfuses('esp32p4', { KEY_PURPOSE_0_H: 1 }, { revision: { major: 3, minor: 0 } });
    expect(third.get('KEY_PURPOSE_0')?.text).toBe('ECDSA_KEY_P192');
  });

  it('include errors of a block beside its values', async () => {
    // The error registers of the ESP32-S3: five words for block 0, then four bits for each other block.
    const errors = [0, 0b1000_0000_0000_0000_0000, 0, 0, 0, 0xa2, 0];
    const efuses = await burntEfuses('esp32s3', { SECURE_BOOT_EN: 1 }, { errors });
    expect(efuses.errors).toEqual([
      { name: 'BLOCK0', errors: 1, failed: true },
      { name: 'MAC_SPI_8M_0', errors: 2, failed: false },
      { name: 'BLOCK_SYS_DATA', errors: 2, failed: true },
    ]);
    expect(efuses.get('MAC')).toMatchObject({
      text: '00:00:00:00:00:00 (Block1 has ERRORS:2 FAIL:False)',
      isDamaged: true,
    });
    const damaged = efuses.values.filter(
      ({ field, isDamaged, block }) => field.kind === 'placed' && isDamaged && block === 0,
    );
    expect(damaged.map(({ field }) => field.name)).toEqual(['SPI_BOOT_CRYPT_CNT']);
    // On the ESP32-C3 the failure bit of a block is in the nibble of the next one.
    const shifted = await burntEfuses('esp32c3', {}, { errors: [0, 0, 0, 0, 0, 0x80, 0] });
    expect(shifted.errors).toEqual([{ name: 'MAC_SPI_8M_0', errors: 0, failed: true }]);
  });
});
