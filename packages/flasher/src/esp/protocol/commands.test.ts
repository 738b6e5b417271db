import { describe, expect, it } from 'vitest';
import { hexOf } from '../../core/bytes.ts';
import * as commands from './commands.ts';

const hex = ({ frame }: commands.Request) => hexOf(frame);

/** Requests recorded in successful sessions with the ROMs of ESP32 (ECO3) and ESP32-C3 and with their stubs. */
const recorded = [
  [
    'SYNC',
    commands.syncRequest(),
    'c00008240000000000070712205555555555555555555555555555555555555555555555555555555555555555c0',
  ],
  ['READ_REG', commands.readRegRequest(0x4000_1000), 'c0000a04000000000000100040c0'],
  [
    'WRITE_REG',
    commands.writeRegRequest({ address: 0x3ffb_0000, value: 0xdead_beef }),
    'c000091000000000000000fb3fefbeaddeffffffff00000000c0',
  ],
  ['GET_SECURITY_INFO', commands.securityInfoRequest(), 'c00014000000000000c0'],
  ['SPI_ATTACH to a ROM', commands.spiAttachRequest(true), 'c0000d0800000000000000000000000000c0'],
  ['SPI_ATTACH to a stub', commands.spiAttachRequest(false), 'c0000d04000000000000000000c0'],
  [
    'SPI_SET_PARAMS',
    commands.spiSetParamsRequest(0x40_0000),
    'c0000b1800000000000000000000004000000001000010000000010000ffff0000c0',
  ],
  [
    'FLASH_BEGIN of 16 bytes',
    commands.flashBeginRequest({ size: 65_436, blocks: 64, blockSize: 0x400, offset: 0x1_0000, extended: false }),
    'c000021000000000009cff0000400000000004000000000100c0',
  ],
  [
    'FLASH_BEGIN of 20 bytes',
    commands.flashBeginRequest({ size: 65_436, blocks: 64, blockSize: 0x400, offset: 0x1_0000, extended: true }),
    'c000021400000000009cff000040000000000400000000010000000000c0',
  ],
  [
    'FLASH_DEFL_BEGIN of 16 bytes',
    commands.deflBeginRequest({ size: 0x1_9000, blocks: 59, blockSize: 0x400, offset: 0x4_0000, extended: false }),
    'c00010100000000000009001003b0000000004000000000400c0',
  ],
  [
    'FLASH_DEFL_BEGIN of 20 bytes',
    commands.deflBeginRequest({ size: 0x1_9000, blocks: 59, blockSize: 0x400, offset: 0x4_0000, extended: true }),
    'c00010140000000000009001003b000000000400000000040000000000c0',
  ],
  ['SPI_FLASH_MD5', commands.md5Request(0x1_0000, 65_436), 'c00013100000000000000001009cff00000000000000000000c0'],
  ['READ_FLASH_SLOW', commands.readFlashSlowRequest(0x1_0000, 64), 'c0000e0800000000000000010040000000c0'],
  [
    'READ_FLASH',
    commands.readFlashRequest(0x1_0000, 0x4_0000, 0x1000, 64),
    'c000d210000000000000000100000004000010000040000000c0',
  ],
  ['CHANGE_BAUDRATE of a ROM', commands.changeBaudRateRequest(460_800, 0), 'c0000f0800000000000008070000000000c0'],
  [
    'CHANGE_BAUDRATE of a stub',
    commands.changeBaudRateRequest(460_800, 115_200),
    'c0000f0800000000000008070000c20100c0',
  ],
  [
    'MEM_BEGIN',
    commands.memBeginRequest({ size: 6_456, blocks: 2, blockSize: 0x1800, address: 0x400a_8000 }),
    'c0000510000000000038190000020000000018000000800a40c0',
  ],
  ['MEM_END', commands.memEndRequest(0x400a_902c), 'c00006080000000000000000002c900a40c0'],
  ['ERASE_FLASH', commands.eraseFlashRequest(), 'c000d0000000000000c0'],
  ['ERASE_REGION', commands.eraseRegionRequest(0x1_0000, 0x1_0000), 'c000d10800000000000000010000000100c0'],
] as const;

describe('requests', () => {
  it.each(recorded)('%s is what a genuine board answered to', (_name, request, frame) => {
    expect(hex(request)).toBe(frame);
  });

  it('checks only the block of a data request, and escapes the sum with the rest', () => {
    expect(commands.checksum(Uint8Array.of(0x78, 0x56, 0x34, 0x12))).toBe(0xef ^ 0x78 ^ 0x56 ^ 0x34 ^ 0x12);
    // 0xEF XOR 0x2F is a delimiter, so the checksum is escaped.
    expect(hex(commands.flashDataRequest(1, Uint8Array.of(0x2f)))).toBe(
      'c000031100dbdc00000001000000010000000000000000000000' + '2fc0',
    );
  });

  it('acknowledges what was read with a bare frame', () => {
    expect(hexOf(commands.readAcknowledgement(0xc000))).toBe('c000dbdc0000c0');
  });
});
