/** Processor families with known return addresses and call instructions. Numbers: ELF `e_machine`. */
export type Machine = 'xtensa' | 'riscv' | 'arm' | 'aarch64' | 'x86' | 'x86-64' | 'avr' | 'other';

const machines: Readonly<Record<number, Machine>> = {
  3: 'x86',
  40: 'arm',
  62: 'x86-64',
  83: 'avr',
  94: 'xtensa',
  183: 'aarch64',
  243: 'riscv',
};

export function machineOf(number: number): Machine {
  return machines[number] ?? 'other';
}
