/**
 * The peripherals of ESP32 and ESP32-C3, with their addresses and clock gates. The ESP32 shows peripherals with a
 * FIFO twice: on the DPORT bus, and 0x200c0000 higher on the AHB bus.
 */
import type { Breadboard } from '../../breadboard/breadboard.ts';
import type { Memory, RegisterBlock } from '../memory.ts';
import type { EspChipName } from '../options.ts';
import { ClockGates, gateBit } from './clock-gates.ts';
import { type ChipContext, withoutFifoWrites } from './context.ts';
import { ApbConverter, converterBase, SensConverter } from './converter.ts';
import { PulseCounter, RemoteReceiver } from './edge-counters.ts';
import { I2cMaster, i2cFifo } from './i2c.ts';
import { esp32c3I2c, esp32I2c } from './i2c-layouts.ts';
import { esp32c3Ledc, esp32Ledc, Ledc } from './ledc.ts';
import { esp32c3Pins, esp32Pins } from './pin-layouts.ts';
import { PinMatrix } from './pin-matrix.ts';
import { esp32c3Spi2, esp32Spi2, SpiMaster } from './spi.ts';
import { esp32c3Uart1, esp32Uart1, Uart, uartFifo } from './uart.ts';

/** Bytes of a peripheral's registers. */
const blockSize = 0x1000;

/**
 * The peripherals of a chip. Each start of the ROM's loader or of a program in flash creates them, with registers as
 * after a reset.
 */
export class Peripherals {
  readonly #board: Breadboard;
  #pins: PinMatrix | null = null;

  constructor(board: Breadboard) {
    this.#board = board;
  }

  /**
   * Maps the peripherals of a chip into its memory, and adds its pads to the breadboard.
   * @param memory Memory of the chip.
   * @param chip Chips other than ESP32 and ESP32-C3 have no simulated peripherals.
   * @param crystal Frequency in MHz.
   */
  start(memory: Memory, chip: EspChipName, crystal: number): void {
    memory.reach(this.#board.now);
    if (chip === 'esp32') {
      this.#pins = attachEsp32(memory, this.#board, crystal);
    } else if (chip === 'esp32c3') {
      this.#pins = attachEsp32c3(memory, this.#board, crystal);
    }
  }

  /** Removes the pads from the breadboard, because the chip loses power or restarts. */
  stop(): void {
    this.#pins?.disconnect(this.#board.now);
    this.#pins = null;
  }
}

function attachEsp32(memory: Memory, board: Breadboard, crystal: number): PinMatrix {
  const context = contextOf(memory, board, crystal, esp32Pins, { enable: 0x3ff000c0, reset: 0x3ff000c4 });
  const { gates, pins } = context;
  const uart = gates.behind(gateBit.uart1, new Uart(esp32Uart1, context));
  const i2c = gates.behind(gateBit.i2c0, new I2cMaster(esp32I2c, context));
  const map = (start: number, block: RegisterBlock) => memory.map(start, blockSize, block);
  map(0x3ff50000, withoutFifoWrites(uart, uartFifo));
  map(0x60010000, uart);
  map(0x3ff53000, withoutFifoWrites(i2c, i2cFifo));
  map(0x60013000, i2c);
  map(0x3ff56000, gates.behind(gateBit.rmt, new RemoteReceiver(context)));
  map(0x3ff57000, gates.behind(gateBit.pcnt, new PulseCounter(context)));
  map(0x3ff59000, gates.behind(gateBit.ledc, new Ledc(esp32Ledc, context)));
  map(0x3ff64000, gates.behind(gateBit.spi2, new SpiMaster(esp32Spi2, context)));
  memory.map(converterBase.sens, 0x100, new SensConverter(context));
  return pins;
}

function attachEsp32c3(memory: Memory, board: Breadboard, crystal: number): PinMatrix {
  const context = contextOf(memory, board, crystal, esp32c3Pins, { enable: 0x600c0010, reset: 0x600c0018 });
  const { gates, pins } = context;
  const map = (start: number, block: RegisterBlock) => memory.map(start, blockSize, block);
  map(0x60010000, gates.behind(gateBit.uart1, new Uart(esp32c3Uart1, context)));
  map(0x60013000, gates.behind(gateBit.i2c0, new I2cMaster(esp32c3I2c, context)));
  map(0x60019000, gates.behind(gateBit.ledc, new Ledc(esp32c3Ledc, context)));
  map(0x60024000, gates.behind(gateBit.spi2, new SpiMaster(esp32c3Spi2, context)));
  map(converterBase.apb, gates.behind(converterBase.apbGate, new ApbConverter(context)));
  return pins;
}

function contextOf(
  memory: Memory,
  board: Breadboard,
  crystal: number,
  layout: typeof esp32Pins,
  gates: { readonly enable: number; readonly reset: number },
): ChipContext {
  const pins = new PinMatrix(layout, memory, board);
  return { memory, pins, gates: new ClockGates(memory, gates), board, crystal: crystal * 1_000 };
}
