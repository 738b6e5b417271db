/**
 * Memories. Their descriptions only read, because the content of a memory belongs to its user. Each description names
 * its source.
 */
import { bit, type LibraryChip, registers } from './library-chip.ts';

/** Atmel 0336K, AT24C32/64: "Device Addressing", "Read Operations", figures 8 to 12. */
export const at24c32: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc013',
  name: '24C32: EEPROM of 4 KiB',
  description:
    'Shows the first bytes of the memory; nothing is written. The same for 24C64 to 24C512, whose addresses have two bytes too. A memory has nothing to recognise it by.',
  tags: ['24C32', 'AT24C32', '24C64', '24C256', 'Microchip', 'EEPROM', 'memory'],
  content: {
    name: 'AT24C32',
    manufacturer: 'Microchip (Atmel)',
    source: '0336K, AT24C32/64, "Read Operations"',
    category: 'Storage',
    bus: 'i2c',
    addresses: [0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
    pointer: 16,
    registers: registers({ width: 32 }, [
      ['bytes_0', 0x0000, 'Bytes 0 to 3'],
      ['bytes_4', 0x0004, 'Bytes 4 to 7'],
      ['bytes_8', 0x0008, 'Bytes 8 to 11'],
      ['bytes_12', 0x000c, 'Bytes 12 to 15'],
    ]),
    values: [
      {
        name: 'blank',
        kind: 'integer',
        formula: '(bytes_0 & bytes_4 & bytes_8 & bytes_12) == 0xFFFFFFFF',
      },
    ],
    readings: [
      { name: 'Byte 0', kind: 'integer', formula: 'bits(bytes_0, 31, 24)' },
      { name: 'Byte 1', kind: 'integer', formula: 'bits(bytes_0, 23, 16)' },
      { name: 'First 16 bytes are blank', kind: 'integer', formula: 'blank' },
    ],
  },
};

/** Winbond W25Q32JV: section 8.1.1 (manufacturer and device identification), section 7.1 (status registers), instructions 9Fh, 05h, 35h, 15h. */
export const w25q32: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc014',
  name: 'W25Q32JV: SPI flash of 4 MiB',
  description:
    'Recognises the memory by its JEDEC ID and shows its status registers; nothing is written. For a chip on pins of its own: the flash of the board itself cannot be reached.',
  tags: ['W25Q32', 'W25Q', 'Winbond', 'flash', 'SPI', 'memory'],
  content: {
    name: 'W25Q32JV',
    manufacturer: 'Winbond',
    source: 'W25Q32JV, sections 7.1 and 8.1.1',
    category: 'Storage',
    bus: 'spi',
    spi: { mode: 0, readBit: 0 },
    increments: false,
    identification: [{ register: 'jedec_id', value: 0xef_40_16 }],
    registers: [
      { name: 'jedec_id', address: 0x9f, width: 24, description: 'Manufacturer, type, capacity' },
      {
        name: 'status_1',
        address: 0x05,
        description: 'Status register 1',
        fields: [bit('wel', 1, 'Writing is enabled'), bit('busy', 0, 'Erasing or writing')],
      },
      { name: 'status_2', address: 0x35, description: 'Status register 2', fields: [bit('qe', 1, 'Quad enable')] },
      { name: 'status_3', address: 0x15, description: 'Status register 3' },
    ],
    values: [{ name: 'capacity', kind: 'integer', formula: '1 << bits(jedec_id, 7, 0)' }],
    readings: [
      { name: 'Capacity', formula: 'jedec_id == 0xFFFFFF || jedec_id == 0 ? 0 : capacity / 1048576', unit: 'MiB' },
      { name: 'Busy', formula: 'status_1.busy' },
    ],
  },
};
