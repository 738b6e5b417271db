/**
 * Runs the program of a line table (DWARF 5, section 6.2.5) and yields its rows. A row gives the file and line of the
 * code from its address up to the next row's address. Stores no rows.
 */
import { ByteCursor } from '../byte-cursor.ts';
import { type LineHeader, readOldFile } from './line-header.ts';

const standard = {
  copy: 1,
  advancePc: 2,
  advanceLine: 3,
  setFile: 4,
  setColumn: 5,
  negateStatement: 6,
  setBasicBlock: 7,
  constAddPc: 8,
  fixedAdvancePc: 9,
  setPrologueEnd: 10,
  setEpilogueBegin: 11,
  setIsa: 12,
} as const;

const extended = { endSequence: 1, setAddress: 2, defineFile: 3 } as const;

export interface LineRows {
  /**
   * Called for each row.
   * @param file index in the table
   * @param line counted from 1; 0 for code without a line
   */
  row(address: number, file: number, line: number): void;
  /**
   * Called at the end of a sequence: the rows since the last end describe contiguous code that ends before `address`.
   */
  endSequence(address: number): void;
}

/**
 * Runs the program and passes its rows to `rows`. Rows before damage are still passed.
 * @throws RangeError at the first damage.
 */
export function runLineProgram(section: Uint8Array, littleEndian: boolean, header: LineHeader, rows: LineRows): void {
  // The subarray prevents reads past the end of the table.
  const cursor = new ByteCursor(section.subarray(0, header.programEnd), littleEndian, header.programStart);
  const { opcodeBase, lineBase, lineRange, minimumInstructionLength, operationsPerInstruction, operandCounts } = header;
  let address = 0;
  let operation = 0;
  let file = 1;
  let line = 1;

  const advance = (operations: number) => {
    if (operationsPerInstruction === 1) {
      address += minimumInstructionLength * operations;
    } else {
      const total = operation + operations;
      address += minimumInstructionLength * Math.floor(total / operationsPerInstruction);
      operation = total % operationsPerInstruction;
    }
  };

  const runExtended = () => {
    const length = cursor.uleb();
    const end = cursor.position + length;
    switch (length === 0 ? 0 : cursor.u8()) {
      case extended.endSequence:
        rows.endSequence(address);
        address = 0;
        operation = 0;
        file = 1;
        line = 1;
        break;
      case extended.setAddress:
        address = cursor.unsigned(length - 1);
        operation = 0;
        break;
      case extended.defineFile:
        header.files.push(readOldFile(cursor, cursor.string()));
        break;
    }
    cursor.position = end;
  };

  while (!cursor.atEnd) {
    const opcode = cursor.u8();
    if (opcode >= opcodeBase) {
      const adjusted = opcode - opcodeBase;
      advance(Math.floor(adjusted / lineRange));
      line += lineBase + (adjusted % lineRange);
      rows.row(address, file, line);
      continue;
    }
    switch (opcode) {
      case 0:
        runExtended();
        break;
      case standard.copy:
        rows.row(address, file, line);
        break;
      case standard.advancePc:
        advance(cursor.uleb());
        break;
      case standard.advanceLine:
        line += cursor.sleb();
        break;
      case standard.setFile:
        file = cursor.uleb();
        break;
      case standard.constAddPc:
        advance(Math.floor((255 - opcodeBase) / lineRange));
        break;
      case standard.fixedAdvancePc:
        address += cursor.u16();
        operation = 0;
        break;
      case standard.negateStatement:
      case standard.setBasicBlock:
      case standard.setPrologueEnd:
      case standard.setEpilogueBegin:
        break;
      default:
        for (let operand = operandCounts[opcode] ?? 0; operand > 0; operand--) {
          cursor.uleb();
        }
    }
  }
}
