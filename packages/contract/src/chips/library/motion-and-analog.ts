/** Motion and distance sensors, and an analog-to-digital converter. Each description names its source. */
import { bit, bits, type LibraryChip, registers } from './library-chip.ts';

/** InvenSense RM-MPU-6000A-00, revision 4.2: sections 4.4, 4.5, 4.17 to 4.19, 4.28, 4.32. */
export const mpu6050: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc00a',
  name: 'MPU6050: acceleration and rotation',
  description:
    'Acceleration and rotation about three axes, and the temperature of the chip. The set-up wakes it with the clock of the gyroscope and chooses ±2 g and ±250 °/s.',
  tags: ['MPU6050', 'MPU-6050', 'GY-521', 'InvenSense', 'accelerometer', 'gyroscope', 'IMU'],
  content: {
    name: 'MPU-6050',
    manufacturer: 'TDK InvenSense',
    source: 'RM-MPU-6000A-00, revision 4.2, section 4',
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x68, 0x69],
    identification: [{ register: 'who_am_i', mask: 0x7e, value: 0x68 }],
    registers: [
      { name: 'smplrt_div', address: 0x19, access: 'rw', reset: 0, description: 'Divider of the sample rate' },
      {
        name: 'config',
        address: 0x1a,
        access: 'rw',
        reset: 0,
        description: 'Synchronisation and filter',
        fields: [bits('dlpf_cfg', 2, 0, 'Digital low-pass filter')],
      },
      {
        name: 'gyro_config',
        address: 0x1b,
        access: 'rw',
        reset: 0,
        description: 'Self-test and range of the gyroscope',
        fields: [bits('fs_sel', 4, 3, 'Full scale', ['±250 °/s', '±500 °/s', '±1000 °/s', '±2000 °/s'])],
      },
      {
        name: 'accel_config',
        address: 0x1c,
        access: 'rw',
        reset: 0,
        description: 'Self-test and range of the accelerometer',
        fields: [bits('afs_sel', 4, 3, 'Full scale', ['±2 g', '±4 g', '±8 g', '±16 g'])],
      },
      ...registers({ width: 16, signed: true }, [
        ['accel_x', 0x3b, 'Acceleration along x'],
        ['accel_y', 0x3d, 'Acceleration along y'],
        ['accel_z', 0x3f, 'Acceleration along z'],
        ['temp', 0x41, 'Temperature'],
        ['gyro_x', 0x43, 'Rotation about x'],
        ['gyro_y', 0x45, 'Rotation about y'],
        ['gyro_z', 0x47, 'Rotation about z'],
      ]),
      {
        name: 'pwr_mgmt_1',
        address: 0x6b,
        access: 'rw',
        reset: 0x40,
        description: 'Power mode and clock',
        fields: [
          bit('device_reset', 7, '1 resets the chip'),
          bit('sleep', 6, 'Sleep mode'),
          bit('cycle', 5, 'Wakes up for single samples'),
          bit('temp_dis', 3, 'The temperature sensor is off'),
          bits('clksel', 2, 0, 'Clock source', ['internal 8 MHz', 'gyroscope x', 'gyroscope y', 'gyroscope z']),
        ],
      },
      {
        name: 'who_am_i',
        address: 0x75,
        reset: 0x68,
        description: 'Identifies the chip, whatever its address',
        fields: [bits('id', 6, 1, 'The highest six bits of the address 0x68')],
      },
    ],
    init: [
      { register: 'pwr_mgmt_1', value: 0x01, description: 'Awake, clock of the gyroscope' },
      { register: 'gyro_config', value: 0x00 },
      { register: 'accel_config', value: 0x00 },
    ],
    readings: [
      ...['x', 'y', 'z'].map((axis) => ({
        name: `Acceleration ${axis}`,
        formula: `accel_${axis} / 16384`,
        unit: 'g',
        minimum: -2,
        maximum: 2,
        decimals: 3,
      })),
      ...['x', 'y', 'z'].map((axis) => ({
        name: `Rotation ${axis}`,
        formula: `gyro_${axis} / 131`,
        unit: '°/s',
        decimals: 1,
      })),
      { name: 'Temperature', formula: 'temp / 340 + 36.53', unit: '°C', minimum: -40, maximum: 85, decimals: 1 },
    ],
    interval: 100,
  },
};

/** TI SBAS444, ADS1113/4/5: sections 9.6.1 to 9.6.4 (registers), table 3 (full scale and step). */
export const ads1115: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc00b',
  name: 'ADS1115: voltage at AIN0',
  description:
    'A converter of 16 bits for four inputs. The set-up measures AIN0 against ground continuously, ±4.096 V, 128 times a second; another range is followed by itself. Inputs must not be above the supply.',
  tags: ['ADS1115', 'Texas Instruments', 'ADC', 'voltage'],
  content: {
    name: 'ADS1115',
    manufacturer: 'Texas Instruments',
    source: 'SBAS444, section 9.6',
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x48, 0x49, 0x4a, 0x4b],
    increments: false,
    registers: [
      {
        name: 'conversion',
        address: 0,
        width: 16,
        signed: true,
        reset: 0,
        description: 'Result of the last conversion',
      },
      {
        name: 'config',
        address: 1,
        width: 16,
        access: 'rw',
        reset: 0x8583,
        description: 'Input, range, mode and comparator',
        fields: [
          bit('os', 15, 'Written: starts a conversion. Read: none is running'),
          bits('mux', 14, 12, 'Inputs', [
            'AIN0 − AIN1',
            'AIN0 − AIN3',
            'AIN1 − AIN3',
            'AIN2 − AIN3',
            'AIN0',
            'AIN1',
            'AIN2',
            'AIN3',
          ]),
          bits('pga', 11, 9, 'Full scale', [
            '±6.144 V',
            '±4.096 V',
            '±2.048 V',
            '±1.024 V',
            '±0.512 V',
            '±0.256 V',
            '±0.256 V',
            '±0.256 V',
          ]),
          bit('mode', 8, 'Single conversions'),
          bits('dr', 7, 5, 'Samples a second', ['8', '16', '32', '64', '128', '250', '475', '860']),
          bits('comp_que', 1, 0, 'Comparator', ['after 1', 'after 2', 'after 4', 'off']),
        ],
      },
      {
        name: 'lo_thresh',
        address: 2,
        width: 16,
        signed: true,
        access: 'rw',
        reset: 0x8000,
        description: 'Comparator',
      },
      {
        name: 'hi_thresh',
        address: 3,
        width: 16,
        signed: true,
        access: 'rw',
        reset: 0x7fff,
        description: 'Comparator',
      },
    ],
    init: [{ register: 'config', value: 0x4283, description: 'AIN0, ±4.096 V, continuous, 128 samples a second' }],
    values: [
      {
        name: 'full_scale',
        formula: 'config.pga == 0 ? 6.144 : max(4.096 / pow(2, config.pga - 1), 0.256)',
      },
    ],
    readings: [{ name: 'Voltage', formula: 'conversion * full_scale / 32768', unit: 'V', decimals: 5 }],
    interval: 100,
  },
};

/** ST DocID029104, VL53L0X (DS11555): section 3, control interface (address, reference registers). */
export const vl53l0x: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc00c',
  name: 'VL53L0X: recognise the distance sensor',
  description:
    'Recognises the chip by its reference registers. Measuring needs the set-up of the vendor’s library, which is more than a list of writes, so this description has no readings.',
  tags: ['VL53L0X', 'STMicroelectronics', 'distance', 'time of flight'],
  content: {
    name: 'VL53L0X',
    manufacturer: 'STMicroelectronics',
    source: 'DocID029104 (DS11555), section 3',
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x29],
    identification: [
      { register: 'model_id', value: 0xee },
      { register: 'module_type', value: 0xaa },
    ],
    registers: [
      { name: 'model_id', address: 0xc0, reset: 0xee, description: 'Reference register' },
      { name: 'module_type', address: 0xc1, reset: 0xaa, description: 'Reference register' },
      { name: 'revision', address: 0xc2, reset: 0x10, description: 'Reference register' },
      { name: 'reference_51', address: 0x51, width: 16, reset: 0x0099, description: 'Reference register' },
      { name: 'reference_61', address: 0x61, width: 16, reset: 0x0000, description: 'Reference register' },
    ],
  },
};
