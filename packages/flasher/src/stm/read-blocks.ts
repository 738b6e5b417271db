/** Reads blocks with one call per block. */
import type { FlashRange } from '../core/region.ts';
import type { Loader, TakeBlock } from './loader.ts';

/** Implements `Loader.readBlocks` by `Loader.read`. */
export async function readOneByOne(
  loader: Pick<Loader, 'read'>,
  blocks: Iterable<FlashRange>,
  signal: AbortSignal,
  take: TakeBlock,
): Promise<void> {
  for (const block of blocks) {
    if (!take(block, await loader.read(block.offset, block.length, signal))) {
      return;
    }
  }
}
