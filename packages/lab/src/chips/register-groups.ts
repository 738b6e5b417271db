/**
 * Named registers with their fields for the register view, made from a chip's table. Names are those of the reference
 * manuals.
 */
import type {
  AdcTable,
  ClockGates,
  GpioBank,
  GpioMatrix,
  I2cTable,
  LabPin,
  LedcTable,
  PcntTable,
  RmtTable,
  SpiTable,
  UartTable,
} from './lab-chip.ts';
import type { NamedRegister, RegisterField, RegisterGroup } from './named-register.ts';

interface Parts {
  readonly pins: readonly LabPin[];
  readonly gpio: GpioMatrix;
  readonly gates: ClockGates;
  readonly i2c: I2cTable;
  readonly uart: UartTable;
  readonly spi: SpiTable;
  readonly ledc: LedcTable;
  readonly adc: AdcTable;
  readonly rmt: RmtTable | null;
  readonly pcnt: PcntTable | null;
}

/** Names and addresses of ADC registers, which differ from chip to chip. */
type AdcRegisters = readonly (readonly [name: string, address: number])[];

export function registerGroups(parts: Parts, adc: AdcRegisters): readonly RegisterGroup[] {
  return [
    { name: 'GPIO', registers: parts.gpio.banks.flatMap((bank, index) => bankRegisters(bank, index, parts.pins)) },
    { name: 'Pins', registers: usable(parts.pins).flatMap((pin) => pinRegisters(pin, parts.gpio)) },
    { name: 'IO_MUX', registers: usable(parts.pins).map(ioMuxRegister) },
    { name: 'Clock gates', registers: gateRegisters(parts.gates) },
    { name: 'I2C0', registers: i2cRegisters(parts.i2c) },
    { name: 'UART1', registers: uartRegisters(parts.uart) },
    { name: 'SPI2', registers: spiRegisters(parts.spi) },
    { name: 'LEDC', registers: ledcRegisters(parts.ledc) },
    { name: 'ADC', registers: adc.map(([name, address]) => ({ name, address, fields: [] })) },
    ...(parts.rmt === null ? [] : [{ name: 'RMT', registers: rmtRegisters(parts.rmt) }]),
    ...(parts.pcnt === null ? [] : [{ name: 'PCNT', registers: pcntRegisters(parts.pcnt) }]),
  ];
}

const usable = (pins: readonly LabPin[]) => pins.filter(({ locked }) => locked === undefined);

/** Parses a list such as `NAME 3, NAME 4-7` into fields. */
function fields(text: string): RegisterField[] {
  return text.split(', ').map((part) => {
    const [name = '', range = ''] = part.split(' ');
    const [from = 0, to = from] = range.split('-').map(Number);
    return { name, from, bits: to - from + 1 };
  });
}

function bankRegisters(bank: GpioBank, index: number, pins: readonly LabPin[]): NamedRegister[] {
  const suffix = index === 0 ? '' : String(index);
  const ofBank = pins
    .filter(({ gpio }) => gpio >= bank.first && gpio < bank.first + 32)
    .toSorted((a, b) => a.gpio - b.gpio)
    .map(({ gpio }) => ({ name: `GPIO${gpio}`, from: gpio - bank.first, bits: 1 }));
  return [
    { name: `OUT${suffix}`, address: bank.out, fields: ofBank },
    { name: `ENABLE${suffix}`, address: bank.enable, fields: ofBank },
    { name: `IN${suffix}`, address: bank.input, fields: ofBank },
  ];
}

function pinRegisters({ gpio }: LabPin, { pinConfig, outputSelect, plainOutput }: GpioMatrix): NamedRegister[] {
  const signalBits = Math.log2(plainOutput) + 1;
  return [
    {
      name: `PIN${gpio}`,
      address: pinConfig + 4 * gpio,
      fields: fields('PAD_DRIVER 2, INT_TYPE 7-9, WAKEUP_ENABLE 10'),
    },
    {
      name: `FUNC${gpio}_OUT_SEL`,
      address: outputSelect + 4 * gpio,
      fields: [
        { name: 'OUT_SEL', from: 0, bits: signalBits },
        { name: 'INV_SEL', from: signalBits, bits: 1 },
        { name: 'OEN_SEL', from: signalBits + 1, bits: 1 },
      ],
    },
  ];
}

function ioMuxRegister({ gpio, ioMux }: LabPin): NamedRegister {
  return {
    name: `GPIO${gpio}`,
    address: ioMux,
    fields: fields('FUN_WPD 7, FUN_WPU 8, FUN_IE 9, FUN_DRV 10-11, MCU_SEL 12-14'),
  };
}

function gateRegisters({ enable, reset, bits, enableOnly }: ClockGates): NamedRegister[] {
  const known = Object.entries(bits).flatMap(([name, bit]) => (bit === null ? [] : [{ name, from: bit, bits: 1 }]));
  return [
    { name: 'PERIP_CLK_EN', address: enable, fields: known },
    { name: 'PERIP_RST_EN', address: reset, fields: known.filter(({ from }) => !enableOnly.includes(from)) },
  ];
}

function i2cRegisters({ base, slots, clockConfig }: I2cTable): NamedRegister[] {
  const at = (name: string, offset: number, text = '') => ({
    name,
    address: base + offset,
    fields: text === '' ? [] : fields(text),
  });
  const command = 'BYTE_NUM 0-7, ACK_CHECK_EN 8, ACK_EXP 9, ACK_VALUE 10, OP_CODE 11-13, DONE 31';
  return [
    at('SCL_LOW_PERIOD', 0x00),
    at('CTR', 0x04, 'SDA_FORCE_OUT 0, SCL_FORCE_OUT 1, MS_MODE 4, TRANS_START 5, CLK_EN 8'),
    at('SR', 0x08, 'BUS_BUSY 4, RXFIFO_CNT 8-13, TXFIFO_CNT 18-23'),
    at('TO', 0x0c),
    at('FIFO_CONF', 0x18, 'NONFIFO_EN 10, RX_FIFO_RST 12, TX_FIFO_RST 13'),
    { ...at('DATA', 0x1c), readTakes: true },
    at('INT_RAW', 0x20, 'ARBITRATION_LOST 5, TRANS_COMPLETE 7, TIME_OUT 8, ACK_ERR 10'),
    { ...at('INT_CLR', 0x24), writeOnly: true },
    at('INT_ENA', 0x28),
    at('SDA_HOLD', 0x30),
    at('SDA_SAMPLE', 0x34),
    at('SCL_HIGH_PERIOD', 0x38),
    at('SCL_START_HOLD', 0x40),
    at('SCL_RSTART_SETUP', 0x44),
    at('SCL_STOP_HOLD', 0x48),
    at('SCL_STOP_SETUP', 0x4c),
    ...(clockConfig === null
      ? []
      : [at('CLK_CONF', clockConfig.offset, 'SCLK_DIV_NUM 0-7, SCLK_SEL 20, SCLK_ACTIVE 21')]),
    ...Array.from({ length: slots }, (_, slot) => at(`COMD${slot}`, 0x58 + 4 * slot, command)),
  ];
}

function uartRegisters({ base, receivedMask }: UartTable): NamedRegister[] {
  const count = Math.log2(receivedMask + 1);
  return [
    { name: 'FIFO', address: base, fields: [], readTakes: true },
    { name: 'INT_RAW', address: base + 0x04, fields: [] },
    { name: 'CLKDIV', address: base + 0x14, fields: fields('CLKDIV 0-11, FRAG 20-23') },
    {
      name: 'STATUS',
      address: base + 0x1c,
      fields: [
        { name: 'RXFIFO_CNT', from: 0, bits: count },
        { name: 'TXFIFO_CNT', from: 16, bits: count },
      ],
    },
    {
      name: 'CONF0',
      address: base + 0x20,
      fields: fields('PARITY 0, PARITY_EN 1, BIT_NUM 2-3, STOP_BIT_NUM 4-5, RXFIFO_RST 17, TXFIFO_RST 18'),
    },
    { name: 'CONF1', address: base + 0x24, fields: [] },
  ];
}

function spiRegisters({
  base,
  clock,
  pin,
  user,
  outEdge,
  idleHigh,
  lengths,
  data,
  update,
  start,
}: SpiTable): NamedRegister[] {
  const bit = (name: string, from: number) => ({ name, from, bits: 1 });
  const [first, second = first] = lengths;
  return [
    { name: 'CMD', address: base, fields: [...(update === null ? [] : [bit('UPDATE', update)]), bit('USR', start)] },
    {
      name: 'CLOCK',
      address: base + clock,
      fields: fields('CLKCNT_L 0-5, CLKCNT_H 6-11, CLKCNT_N 12-17, CLKDIV_PRE 18-21'),
    },
    {
      name: 'USER',
      address: base + user.offset,
      fields: [bit('DOUTDIN', 0), bit('CK_OUT_EDGE', outEdge), bit('USR_MOSI', 27), bit('USR_MISO', 28)],
    },
    { name: 'PIN', address: base + pin.offset, fields: [bit('CS0_DIS', 0), bit('CK_IDLE_EDGE', idleHigh)] },
    ...[...new Set([first, second])].flatMap((offset, index) =>
      offset === undefined ? [] : [{ name: `DLEN${index}`, address: base + offset, fields: [] }],
    ),
    ...Array.from({ length: 16 }, (_, word) => ({ name: `W${word}`, address: base + data + 4 * word, fields: [] })),
  ];
}

function ledcRegisters({ config, timer, channel, divisorShift }: LedcTable): NamedRegister[] {
  return [
    { name: 'CH0_CONF0', address: channel, fields: fields('TIMER_SEL 0-1, SIG_OUT_EN 2, IDLE_LV 3, PARA_UP 4') },
    { name: 'CH0_HPOINT', address: channel + 4, fields: [] },
    { name: 'CH0_DUTY', address: channel + 8, fields: [] },
    { name: 'CH0_CONF1', address: channel + 0xc, fields: fields('DUTY_START 31') },
    {
      name: 'TIMER0_CONF',
      address: timer,
      fields: [
        { name: 'DUTY_RES', from: 0, bits: divisorShift },
        { name: 'CLK_DIV', from: divisorShift, bits: 18 },
      ],
    },
    { name: 'CONF', address: config.address, fields: [] },
  ];
}

function rmtRegisters({ config0, config1, apbConfig, interruptRaw }: RmtTable): NamedRegister[] {
  return [
    { name: 'CH0CONF0', address: config0, fields: fields('DIV_CNT 0-7, IDLE_THRES 8-23, MEM_SIZE 24-27') },
    { name: 'CH0CONF1', address: config1, fields: fields('RX_EN 1, MEM_WR_RST 2, MEM_RD_RST 3, MEM_OWNER 5') },
    { name: 'INT_RAW', address: interruptRaw, fields: fields('CH0_RX_END 1, CH0_ERR 2') },
    { name: 'APB_CONF', address: apbConfig.address, fields: [] },
  ];
}

function pcntRegisters({ config0, config2, count, control }: PcntTable): NamedRegister[] {
  return [
    { name: 'U0_CONF0', address: config0, fields: fields('THR_H_LIM_EN 12, CH0_NEG_MODE 16-17, CH0_POS_MODE 18-19') },
    { name: 'U0_CONF2', address: config2, fields: fields('CNT_H_LIM 0-15') },
    { name: 'U0_CNT', address: count, fields: fields('CNT 0-15') },
    { name: 'CTRL', address: control, fields: fields('PLUS_CNT_RST_U0 0, CNT_PAUSE_U0 1') },
  ];
}
