/**
 * A processor with the instruction set RV32IMC and Zicsr in machine mode, as in the ESP32-C3. Exceptions end the run.
 */
import { type Bus, CpuFault } from '../bus.ts';
import { Cpu, type Instruction, nextAt } from '../cpu.ts';
import { expanded } from './compressed.ts';
import { ControlRegisters } from './csr.ts';
import { instructionOf, type RiscvState } from './instructions.ts';

const environmentCall = 0x000;
const breakpoint = 0x001;
const machineReturn = 0x302;
const waitForInterrupt = 0x105;

export class RiscvCpu extends Cpu<RiscvState> implements RiscvState {
  protected readonly state = this;
  readonly #control = new ControlRegisters(() => this.countCycles());

  /**
   * Creates a processor with all registers 0.
   * @param bus Memory and registers.
   * @param entry Address of the first instruction.
   */
  constructor(bus: Bus, entry: number) {
    super(bus);
    this.pc = entry;
  }

  readCsr(number: number): number | null {
    return this.#control.read(number);
  }

  writeCsr(number: number, value: number): boolean {
    return this.#control.write(number, value);
  }

  system(number: number): boolean {
    switch (number) {
      case environmentCall:
        throw new CpuFault('system-call', this.registers[17] ?? 0);
      case breakpoint:
        throw new CpuFault('breakpoint', 0);
      case machineReturn:
        this.registers[nextAt] = this.#control.leaveTrap();
        return true;
      case waitForInterrupt:
        this.wait();
        return true;
      default:
        return false;
    }
  }

  illegal(): never {
    throw new CpuFault('illegal-instruction', 0);
  }

  protected override decode(address: number): Instruction<RiscvState> {
    const low = this.#half(address);
    const isShort = (low & 3) !== 3;
    const word = isShort ? expanded(low) : low | (this.#half(address + 2) << 16);
    const length = isShort ? 2 : 4;
    const execute = word === null ? null : instructionOf(word, length);
    if (execute === null) {
      throw new CpuFault('illegal-instruction', word ?? low);
    }
    return { execute, length };
  }

  #half(address: number): number {
    return (this.bus.fetch(address & ~3) >>> ((address & 2) * 8)) & 0xffff;
  }
}
