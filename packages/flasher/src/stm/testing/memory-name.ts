/** Writes names of memories as `memory-layout` reads them. */
import type { LayoutSector, MemoryLayout } from '../dfuse/open-device.ts';

/** Formats a memory as a name, with equal adjacent sectors in one group. */
export function formatMemoryLayout({ name, sectors }: MemoryLayout): string {
  let text = `@${name} `;
  let end = -1;
  for (let index = 0; index < sectors.length; ) {
    const first = sectors[index];
    if (first === undefined) {
      break;
    }
    let count = 1;
    while (count < 99 && follows(sectors[index + count - 1], sectors[index + count])) {
      count++;
    }
    text += first.offset === end ? ',' : `/0x${first.offset.toString(16).toUpperCase().padStart(8, '0')}/`;
    text += `${String(count).padStart(2, '0')}*${sizeText(first.length)}${letterOf(first)}`;
    end = first.offset + count * first.length;
    index += count;
  }
  return text;
}

function follows(one: LayoutSector | undefined, next: LayoutSector | undefined): boolean {
  return (
    one !== undefined &&
    next !== undefined &&
    next.offset === one.offset + one.length &&
    next.length === one.length &&
    letterOf(next) === letterOf(one)
  );
}

function sizeText(length: number): string {
  const [value, unit] =
    length % 1_048_576 === 0 ? [length / 1_048_576, 'M'] : length % 1_024 === 0 ? [length / 1_024, 'K'] : [length, ' '];
  return `${String(value).padStart(3, '0')}${unit}`;
}

function letterOf({ readable, erasable, writable }: LayoutSector): string {
  return String.fromCharCode(0x60 + (readable ? 1 : 0) + (erasable ? 2 : 0) + (writable ? 4 : 0));
}
