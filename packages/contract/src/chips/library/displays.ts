/** Displays. Each description names its source. */
import { bit, bits, type LibraryChip } from './library-chip.ts';

/**
 * Solomon Systech SSD1306, revision 1.1: sections 8.1.5 (I2C interface, control byte, status) and 9 (commands). The
 * application note in it, figure 2 (software initialisation). COM pins (DA) and addressing (20) match the usual
 * wiring of 128×64 panels.
 */
export const ssd1306: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc00d',
  name: 'SSD1306: OLED display 128×64',
  description:
    'Sets up a panel of 128×64 points with the charge pump on, horizontal addressing and a middle contrast, and tells whether it is on. What the panel shows after power-up is noise until its memory is written.',
  tags: ['SSD1306', 'OLED', '128x64', 'Solomon Systech', 'display'],
  content: {
    name: 'SSD1306',
    manufacturer: 'Solomon Systech',
    source: 'SSD1306, revision 1.1, sections 8.1.5 and 9',
    category: 'Displays',
    bus: 'i2c',
    addresses: [0x3c, 0x3d],
    pointer: 0,
    increments: false,
    registers: [
      {
        name: 'status',
        address: 0,
        description: 'The only thing that can be read',
        fields: [bit('off', 6, 'The display is off')],
      },
    ],
    init: [
      { bytes: '00 AE', description: 'Display off' },
      { bytes: '00 D5 80 A8 3F D3 00 40', description: 'Clock, 64 rows, no offset, first row' },
      { bytes: '00 A1 C8 DA 12 81 7F', description: 'Orientation, COM pins, contrast' },
      { bytes: '00 A4 A6 8D 14 20 00', description: 'Memory, not inverted, charge pump, addressing' },
      { bytes: '00 AF', description: 'Display on' },
    ],
    readings: [{ name: 'Display on', formula: 'status.off == 0' }],
  },
};

/**
 * NXP PCF8574, revision 5: sections 7 and 8 (quasi-bidirectional ports, addresses 0x20 to 0x27). Hitachi HD44780U, ADE-207-272: figure
 * 24 (4-bit set-up) and table 6 (instructions). Wiring of the usual backpack: P0 RS, P1 R/W, P2 E, P3 backlight, P4 to P7 data.
 */
export const lcdBackpack: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc00e',
  name: 'PCF8574: character LCD backpack',
  description:
    'Sets up a character display of two lines behind the usual backpack: 4 bits, display on, cleared, backlight on. Backpacks with a PCF8574A are at 0x38 to 0x3F and need a copy with these addresses.',
  tags: ['PCF8574', 'HD44780', 'LCD', '1602', '2004', 'backpack', 'display'],
  content: {
    name: 'PCF8574',
    manufacturer: 'NXP',
    source: 'PCF8574, revision 5, sections 7 and 8; HD44780U, figure 24',
    category: 'Displays',
    bus: 'i2c',
    addresses: [0x27, 0x26, 0x25, 0x24, 0x23, 0x22, 0x21, 0x20],
    pointer: 0,
    increments: false,
    registers: [
      {
        name: 'port',
        address: 0,
        access: 'rw',
        reset: 0xff,
        description: 'The eight pins',
        fields: [
          bits('data', 7, 4, 'D7 to D4 of the display'),
          bit('backlight', 3, 'Backlight'),
          bit('e', 2, 'Enable: a falling edge takes the data over'),
          bit('rw', 1, 'Read from the display'),
          bit('rs', 0, 'Data instead of an instruction'),
        ],
      },
    ],
    init: [
      { bytes: '3C 38', delay: 40_000, description: 'Function set, 8 bits' },
      { bytes: '3C 38', delay: 4_100, description: 'Function set, 8 bits' },
      { bytes: '3C 38', delay: 100, description: 'Function set, 8 bits' },
      { bytes: '2C 28', delay: 50, description: 'Function set, 4 bits' },
      { bytes: '2C 28 8C 88', delay: 50, description: 'Function set: 4 bits, two lines' },
      { bytes: '0C 08 8C 88', delay: 50, description: 'Display off' },
      { bytes: '0C 08 1C 18', delay: 50, description: 'Clear' },
      { bytes: '0C 08 6C 68', delay: 2_000, description: 'Entry mode: to the right' },
      { bytes: '0C 08 CC C8', delay: 50, description: 'Display on' },
    ],
    readings: [
      { name: 'Pins', formula: 'port' },
      { name: 'Backlight', formula: 'port.backlight' },
    ],
  },
};
