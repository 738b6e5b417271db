import type { AvrFile } from '../file/read-avr-file.ts';
import type { AvrPlanFile } from './avr-plan-types.ts';

/**
 * Returns a file as a plan takes it.
 *
 * @param offset Address of a raw binary, whose data begins at 0 until here. Other formats contain their own addresses.
 */
export function avrPlanFile(
  { format, formatName: _formatName, ...contents }: AvrFile,
  name: string,
  offset: number,
): AvrPlanFile {
  const segments =
    format === 'bin'
      ? contents.segments.map((segment) => ({ ...segment, address: segment.address + offset }))
      : contents.segments;
  return { ...contents, name, segments };
}
