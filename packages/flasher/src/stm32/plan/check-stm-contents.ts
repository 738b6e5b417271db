/** Whether a file for an STM32 is surely something else than firmware, told by the bytes at its lowest address. */
import type { FileContents } from '../../images/contents/contents.ts';
import { isBlank, notFirmwareBy } from '../../images/contents/not-firmware.ts';
import { flashStart } from '../parts/flash-layout.ts';
import type { StmFindings } from './stm-plan-finding.ts';

export interface StmFileContents {
  readonly name: string;
  /** Its lowest address. */
  readonly offset: number;
  /** As `contentsOf` says. */
  readonly contents: FileContents | null;
}

/** True when the file was refused: for certain where a part starts, elsewhere until a person says that it is data. */
export function checkStmContents({ name, offset, contents }: StmFileContents, findings: StmFindings): boolean {
  const not = isBlank(contents) ? null : notFirmwareBy(contents, 'stm32');
  if (not !== null) {
    findings.refuse('not-firmware', { files: [name], wanted: not.name, found: not.remedy }, offset === flashStart);
  }
  return not !== null;
}
