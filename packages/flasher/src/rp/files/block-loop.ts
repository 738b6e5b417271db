/**
 * The blocks of a program: the first one within 4 KiB of its start, then those that it leads to, in a loop (RP2350
 * datasheet 5.1.5.2).
 */
import { findBlock, isBlockStart, type PicobinBlock, readBlockAt, wordsOf } from './picobin-block.ts';
import { contentsOfBlock } from './picobin-contents.ts';
import type { ReadableMemory } from './program-memory.ts';

/** Bytes from the start of a program in which the first block begins (RP2350 datasheet 5.1.5.1). */
export const firstBlockRange = 4_096;
/** Most blocks that are followed. Programs have two or three. */
const MAX_BLOCKS = 16;

/** `closed`: the last block leads to the first one. `broken`: a link leads to no block. `open`: it never comes back. */
type LoopState = 'closed' | 'broken' | 'open';

export interface BlockLoop {
  /** From the first one on; not empty. */
  readonly blocks: readonly PicobinBlock[];
  readonly state: LoopState;
  /** Address at which there is no block, or to which the loop comes back; null for a closed loop. */
  readonly at: number | null;
}

/** Reads the loop; null for a program without blocks. */
export function readBlockLoop(memory: ReadableMemory, start: number): BlockLoop | null {
  const first = findBlock(wordsOf(memory.readFilled(start, firstBlockRange)), start);
  if (first === null) {
    return null;
  }
  const blocks = [first];
  const seen = new Set([first.address]);
  for (let at = first.next; at !== first.address; ) {
    if (seen.has(at) || blocks.length === MAX_BLOCKS) {
      return { blocks, state: 'open', at };
    }
    const words = wordsOf(memory.readFilled(at, firstBlockRange));
    const block = at % 4 === 0 && isBlockStart(words[0]) ? readBlockAt(words, 0, at) : null;
    if (block === null) {
      return { blocks, state: 'broken', at };
    }
    blocks.push(block);
    seen.add(at);
    at = block.next;
  }
  return { blocks, state: 'closed', at: null };
}

/**
 * Returns the block that picotool takes for that of the whole program: the last one of an Arm program, else of a RISC-V
 * program, else the first block. The first one counts only if no other names a program.
 */
export function mainBlockOf({ blocks }: BlockLoop): PicobinBlock {
  const [first, ...others] = blocks as [PicobinBlock, ...PicobinBlock[]];
  let main = first;
  let isArm = false;
  for (const block of others) {
    const { image } = contentsOfBlock(block);
    if (image?.kind === 'program' && image.chip === 'RP2350') {
      const isSecureArm = image.cpu === 'arm' && image.security === 'secure';
      if (isSecureArm || (!isArm && (image.cpu === 'riscv' || image.cpu === 'varmulet'))) {
        main = block;
        isArm ||= isSecureArm;
      }
    }
  }
  return main;
}
