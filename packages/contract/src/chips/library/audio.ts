/** Audio codecs, as far as their control bus goes; sound uses I2S. Each description names its source. */
import { bits, type LibraryChip } from './library-chip.ts';

/** NXP SGTL5000 data sheet, revision 7: section 5.3 (I2C), 6.1 (registers CHIP_ID, CHIP_DAC_VOL, CHIP_ANA_HP_CTRL). */
export const sgtl5000: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc011',
  name: 'SGTL5000: stereo codec',
  description:
    'Recognises the codec and shows its volumes. It answers only while its master clock (SYS_MCLK) runs. The description changes nothing.',
  tags: ['SGTL5000', 'NXP', 'codec', 'audio', 'I2S'],
  content: {
    name: 'SGTL5000',
    manufacturer: 'NXP',
    source: 'SGTL5000, revision 7, section 6.1',
    category: 'Audio',
    bus: 'i2c',
    addresses: [0x0a, 0x2a],
    pointer: 16,
    // Registers are 16 bits wide and at even addresses.
    increments: false,
    identification: [{ register: 'chip_id', mask: 0xff00, value: 0xa000 }],
    registers: [
      {
        name: 'chip_id',
        address: 0x0000,
        width: 16,
        description: 'Part and revision',
        fields: [bits('partid', 15, 8, 'A0 for this part'), bits('revid', 7, 0, 'Revision')],
      },
      {
        name: 'dac_vol',
        address: 0x0010,
        width: 16,
        access: 'rw',
        reset: 0x3c3c,
        description: 'Volume of the DAC: 3C is 0 dB, 0.5 dB less a step, FC and more is mute',
        fields: [bits('right', 15, 8, 'Right'), bits('left', 7, 0, 'Left')],
      },
      {
        name: 'hp_ctrl',
        address: 0x0022,
        width: 16,
        access: 'rw',
        reset: 0x1818,
        description: 'Volume of the headphones: 00 is 12 dB, 0.5 dB less a step',
        fields: [bits('right', 14, 8, 'Right'), bits('left', 6, 0, 'Left')],
      },
    ],
    readings: [
      { name: 'DAC left', formula: '(60 - dac_vol.left) / 2', unit: 'dB', minimum: -90, maximum: 0, decimals: 1 },
      { name: 'DAC right', formula: '(60 - dac_vol.right) / 2', unit: 'dB', minimum: -90, maximum: 0, decimals: 1 },
      {
        name: 'Headphones left',
        formula: '12 - hp_ctrl.left / 2',
        unit: 'dB',
        minimum: -51.5,
        maximum: 12,
        decimals: 1,
      },
      {
        name: 'Headphones right',
        formula: '12 - hp_ctrl.right / 2',
        unit: 'dB',
        minimum: -51.5,
        maximum: 12,
        decimals: 1,
      },
    ],
  },
};

/** Everest Semiconductor ES8311 data sheet, revision 10: "Register Map", registers 0x32, 0xFD to 0xFF; CE pin for the address. */
export const es8311: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc012',
  name: 'ES8311: mono codec',
  description:
    'Recognises the codec of many speaker boards and shows the volume of its DAC. Sound needs a clock and a set-up that depends on the board. The description changes nothing.',
  tags: ['ES8311', 'Everest', 'codec', 'audio', 'I2S'],
  content: {
    name: 'ES8311',
    manufacturer: 'Everest Semiconductor',
    source: 'ES8311, register map',
    category: 'Audio',
    bus: 'i2c',
    addresses: [0x18, 0x19],
    increments: false,
    identification: [
      { register: 'chip_id1', value: 0x83 },
      { register: 'chip_id2', value: 0x11 },
    ],
    registers: [
      {
        name: 'dac_volume',
        address: 0x32,
        access: 'rw',
        reset: 0x00,
        description: 'Volume of the DAC: 00 is −95.5 dB, BF is 0 dB, 0.5 dB a step',
      },
      { name: 'chip_id1', address: 0xfd, reset: 0x83, description: 'Identifies the chip' },
      { name: 'chip_id2', address: 0xfe, reset: 0x11, description: 'Identifies the chip' },
      { name: 'chip_version', address: 0xff, description: 'Version' },
    ],
    readings: [
      { name: 'DAC volume', formula: 'dac_volume / 2 - 95.5', unit: 'dB', minimum: -95.5, maximum: 32, decimals: 1 },
    ],
  },
};
