/** RAM and UART0 of the chips that can run programs, from their technical reference manuals. */
import type { Bus } from './bus.ts';
import type { RamWindow } from './chip-bus.ts';
import type { Processor } from './cpu.ts';
import { RiscvCpu } from './riscv/riscv-cpu.ts';
import type { UartLayout } from './uart.ts';
import { XtensaCpu } from './xtensa/xtensa-cpu.ts';

export interface ProgramChip {
  readonly windows: readonly RamWindow[];
  readonly uart: UartLayout;
  /** Address of the first register of USB Serial/JTAG. -1, which no program can access, if the chip has none. */
  readonly usbSerial: number;
  /** Creates a processor that is about to execute the instruction at `entry`. */
  cpu(bus: Bus, entry: number): Processor;
}

/**
 * Chapter "System and Memory", tables of embedded memory. The second view of SRAM 1 at 400A0000, with its words in
 * reverse order, is not simulated. UART: chapter "UART Controller", register summary.
 */
const esp32: ProgramChip = {
  windows: [
    { start: 0x3ffae000, length: 0x52000, memory: 'data', kind: 'data' },
    { start: 0x40070000, length: 0x52000, memory: 'instructions', kind: 'code' },
    { start: 0x50000000, length: 0x2000, memory: 'rtc', kind: 'data' },
  ],
  uart: {
    base: 0x3ff40000,
    fifoAliases: [0x60000000],
    countBits: 8,
    fullThreshold: 0x7f,
    emptyThreshold: [8, 0x7f],
    transmitterState: { offset: 0x1c, shift: 24 },
    clock: null,
  },
  usbSerial: -1,
  cpu: (bus, entry) => new XtensaCpu(bus, entry),
};

/**
 * The same chapters. The instruction bus sees SRAM 1 at 40380000, the data bus at 3FC80000. Only the instruction bus
 * sees SRAM 0.
 */
const esp32c3: ProgramChip = {
  windows: [
    { start: 0x4037c000, length: 0x4000, memory: 'sram0', kind: 'code' },
    { start: 0x40380000, length: 0x60000, memory: 'sram1', kind: 'code' },
    { start: 0x3fc80000, length: 0x60000, memory: 'sram1', kind: 'data' },
    { start: 0x50000000, length: 0x2000, memory: 'rtc', kind: 'data' },
  ],
  uart: {
    base: 0x60000000,
    fifoAliases: [],
    countBits: 10,
    fullThreshold: 0x1ff,
    emptyThreshold: [9, 0x1ff],
    transmitterState: { offset: 0x6c, shift: 4 },
    clock: 0x78,
  },
  usbSerial: 0x60043000,
  cpu: (bus, entry) => new RiscvCpu(bus, entry),
};

/** The chips by name. */
export const programChips: ReadonlyMap<string, ProgramChip> = new Map([
  ['esp32', esp32],
  ['esp32c3', esp32c3],
]);
