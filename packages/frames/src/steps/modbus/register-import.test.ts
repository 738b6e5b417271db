import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkedDecoder } from '../../testing/golden-cases.ts';
import { exportRegisters, importRegisters } from './register-import.ts';

describe('names of values and bits', () => {
  const named = (cell: string) => {
    const { registers, faults } = importRegisters(`name;address;flags\nstatus;5;"${cell}"\n`);
    return registers[0]?.flags ?? faults[0];
  };
  const fault = 'Row 2: flags must be like 0=off; 1=on.';

  it.each([
    ['0=ready; 1=running', { 0: 'ready', 1: 'running' }],
    ['0=ready, 1=running', { 0: 'ready', 1: 'running' }],
    ['0:ready,1:running', { 0: 'ready', 1: 'running' }],
    ['0=ready\n1=running', { 0: 'ready', 1: 'running' }],
    ['0=slow, but safe; 1=running', { 0: 'slow, but safe', 1: 'running' }],
    ['0=ready 1=running', fault],
    ['0=ready | 1=running', fault],
    ['0=ready; 0=running', fault],
  ])('are parted, or a fault: %s', (cell, names) => {
    expect(named(cell)).toEqual(names);
  });

  it('without quotes are a fault where their comma parts cells', () => {
    expect(importRegisters('name,address,flags\nstatus,5,0=ready, 1=running\n')).toEqual({
      registers: [],
      faults: ['Row 2: it has more cells than the first row. A cell with a separator needs quotes.'],
    });
  });

  it('count the rows that they do not name', () => {
    const { faults } = importRegisters(`name,address\n${'x,y\n'.repeat(20)}`);
    expect(faults).toHaveLength(12);
    expect(faults.at(-1)).toBe('9 more rows were not read.');
  });
});

describe('import of registers', () => {
  it('reads all columns, in any order, with quotes', () => {
    const { registers, faults } = importRegisters(
      [
        'Address,Name,Device,Table,Type,Order,Scale,Offset,Unit,Values,Flags,Length',
        '40001,speed,7,holding,u16,,0.1,-40,rpm,,,',
        '2,"motor, current",,input,f32,cdab,,,A,,,',
        '0x10,gear,,,,,,,,"1=first; 2=second",,',
        '5,status,,,,,,,,,0=ready;15=remote,',
        '6,label,,,text,,,,,,,4',
      ].join('\r\n'),
    );
    expect(faults).toEqual([]);
    expect(registers).toEqual([
      {
        name: 'speed',
        device: 7,
        table: 'holding',
        address: 40_001,
        type: 'u16',
        order: 'big',
        length: 1,
        scale: 0.1,
        offset: -40,
        unit: 'rpm',
      },
      { name: 'motor_current', table: 'input', address: 2, type: 'f32', order: 'cdab', length: 1, unit: 'A' },
      {
        name: 'gear',
        table: 'holding',
        address: 16,
        type: 'u16',
        order: 'big',
        length: 1,
        values: { '1': 'first', '2': 'second' },
      },
      {
        name: 'status',
        table: 'holding',
        address: 5,
        type: 'bits',
        order: 'big',
        length: 1,
        flags: { '0': 'ready', '15': 'remote' },
      },
      { name: 'label', table: 'holding', address: 6, type: 'text', order: 'big', length: 4 },
    ]);
  });

  it('reads semicolons, a decimal comma and a byte order mark', () => {
    const { registers } = importRegisters('\ufeffname;addr;factor\nt;1;0,01\n\n');
    expect(registers).toMatchObject([{ name: 't', address: 1, scale: 0.01 }]);
  });

  it('names the row of each fault, and reads the others', () => {
    const { registers, faults } = importRegisters(
      'name,address,type,order,scale,values,colour\na,70000,,,,,\nb,,,,,,\nc,1,u9,,,,\nd,1,,xyz,,,\ne,1,,,x,,\nf,1,,,,on,\n,1,,,,,\nok,1,,,,,red',
    );
    expect(registers.map(({ name }) => name)).toEqual(['ok']);
    expect(faults).toEqual([
      'The column colour is unknown and was left out.',
      'Row 2: address must be a whole number from 0 to 65535.',
      'Row 3: address is missing.',
      'Row 4: type must be one of u16, i16, u32, i32, u64, i64, f32, f64, bits, text.',
      'Row 5: order must be one of big, little, abcd, cdab, badc, dcba.',
      'Row 6: scale must be a number.',
      'Row 7: values must be like 0=off; 1=on.',
      'Row 8: name must be 1 to 32 letters, digits and _.',
    ]);
  });

  it('asks for a row of names', () => {
    expect(importRegisters('1,2,3').faults).toEqual([
      'The first row must name the columns; name and address are needed.',
    ]);
    expect(importRegisters('').registers).toEqual([]);
  });

  it('writes a table with the columns that are used, and reads it back', () => {
    const csv = 'name,address,type,scale,unit,values\r\ngear,16,,,,"1=first; 2=second"\r\nspeed,0,i32,0.1,rpm,\r\n';
    expect(exportRegisters(importRegisters(csv).registers)).toBe(csv);
    expect(exportRegisters([])).toBe('name,address\r\n');
  });

  it('makes registers that a decoder takes, of any cells, and that are read back as they were', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('7', 'f32', 'cdab', 'coil', '0=a', '-1', '"', '0x10'),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 12 }), { maxLength: 5 }), (rows) => {
        const head = 'name,device,table,address,type,order,scale,offset,unit,values,flags,length';
        const { registers } = importRegisters([head, ...rows.map((row) => row.join(','))].join('\n'));
        expect(() => checkedDecoder({ ...libraryDecoders.modbus, registers: [...registers] })).not.toThrow();
        expect(importRegisters(exportRegisters(registers))).toEqual({ registers, faults: [] });
      }),
      { numRuns: isLong ? 20_000 : 300 },
    );
  });
});
