/** Groups the given files that are not written by their reason. The folder of a build has thousands of such files. */
import type { ChosenFiles } from '../../../protocol/flash-protocol.ts';

/** Maximum number of names listed for one reason. The rest is counted. */
const maxNamed = 3;

export interface LeftOutGroup {
  /** Listed names: `app.elf, app.map, boot.elf and 12 more`. */
  readonly names: string;
  readonly why: string;
}

/** Returns the groups in the order in which their reasons first occur. */
export function leftOutGroups(leftOut: ChosenFiles['leftOut']): LeftOutGroup[] {
  const byReason = Map.groupBy(leftOut, ({ why }) => why);
  return Array.from(byReason, ([why, files]) => {
    const names = [...new Set(files.map(({ name }) => name))];
    const more = names.length - maxNamed;
    return { names: `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`, why };
  });
}
