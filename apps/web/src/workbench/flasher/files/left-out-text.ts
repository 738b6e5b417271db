/** What was given and is not written, put together by the reason: a build's folder has thousands of such files. */
import type { ChosenFiles } from '../flash-protocol.ts';

/** Names that are told for one reason; the rest is counted. */
const mostNamed = 3;

export interface LeftOutGroup {
  /** `app.elf, app.map, boot.elf and 12 more`. */
  readonly names: string;
  readonly why: string;
}

/** In the order in which the reasons come first. */
export function leftOutGroups(leftOut: ChosenFiles['leftOut']): LeftOutGroup[] {
  const byReason = Map.groupBy(leftOut, ({ why }) => why);
  return Array.from(byReason, ([why, files]) => {
    const names = [...new Set(files.map(({ name }) => name))];
    const more = names.length - mostNamed;
    return { names: `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`, why };
  });
}
