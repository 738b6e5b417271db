/** Checks if a file for an STM32 is certainly not firmware, judged by the bytes at its lowest address. */
import type { FileContents } from '../../images/contents/contents.ts';
import { isBlank, notFirmwareBy } from '../../images/contents/not-firmware.ts';
import { flashStart } from '../parts/flash-layout.ts';
import type { StmFindings } from './stm-plan-finding.ts';

export interface StmFileContents {
  readonly name: string;
  /** Lowest address of the file. */
  readonly offset: number;
  /** Result of `contentsOf`. */
  readonly contents: FileContents | null;
}

/**
 * Returns true if the file was refused. At the start address the refusal is final; elsewhere a person may confirm
 * that the file is data.
 */
export function checkStmContents({ name, offset, contents }: StmFileContents, findings: StmFindings): boolean {
  const not = isBlank(contents) ? null : notFirmwareBy(contents, 'stm');
  if (not !== null) {
    findings.refuse('not-firmware', { files: [name], wanted: not.name, found: not.remedy }, offset === flashStart);
  }
  return not !== null;
}
