/** Builds SPIFFS images by hand from spiffs docs/TECH_SPEC, without the code under test. Blocks of 4 KiB, pages of 256 bytes. */

export interface SpiffsFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Size in the header, if it is not that of the contents. */
  readonly size?: number;
}

export interface SpiffsShape {
  readonly blockCount: number;
  /** Offset of the page table in the first index page of a file. */
  readonly tableAt: number;
  readonly magic: 'none' | 'plain' | 'length';
}

const [blockSize, pageSize, pagesPerBlock] = [4_096, 256, 16];

/** Returns an image whose files follow each other: index pages, each in front of its data pages. */
export function spiffsImage({ blockCount, tableAt, magic }: SpiffsShape, files: readonly SpiffsFile[]): Uint8Array {
  const image = new Uint8Array(blockCount * blockSize).fill(0xff);
  const view = new DataView(image.buffer);
  let next = 0;
  const addPage = (id: number, span: number, flags: number) => {
    // The first page of each block is its lookup.
    const page = Math.floor(next / 15) * pagesPerBlock + 1 + (next % 15);
    next++;
    view.setUint16(Math.floor(page / pagesPerBlock) * blockSize + 2 * ((page % pagesPerBlock) - 1), id, true);
    view.setUint16(page * pageSize, id, true);
    view.setUint16(page * pageSize + 2, span, true);
    image[page * pageSize + 4] = flags;
    return page;
  };
  for (const [index, { name, bytes, size = bytes.length }] of files.entries()) {
    const id = index + 1;
    let indexSpan = 0;
    let tableOffset = 0;
    let tableEnd = 0;
    const addIndex = () => {
      const at = addPage(id | 0x8000, indexSpan, 0xf8) * pageSize;
      if (indexSpan === 0) {
        view.setUint32(at + 8, size, true);
        image.fill(0, at + 12, at + tableAt);
        image[at + 12] = 1;
        image.set(new TextEncoder().encode(name), at + 13);
      }
      tableOffset = at + (indexSpan === 0 ? tableAt : 8);
      tableEnd = at + pageSize - 1;
      indexSpan++;
    };
    addIndex();
    for (let span = 0; span * 251 < bytes.length; span++) {
      if (tableOffset >= tableEnd) {
        addIndex();
      }
      const page = addPage(id, span, 0xfc);
      image.set(bytes.subarray(span * 251, (span + 1) * 251), page * pageSize + 5);
      view.setUint16(tableOffset, page, true);
      tableOffset += 2;
    }
  }
  for (let block = 0; block < blockCount && magic !== 'none'; block++) {
    const value = 0x20140529 ^ pageSize ^ (magic === 'length' ? blockCount - block : 0);
    view.setUint16(block * blockSize + pageSize - 4, value & 0xffff, true);
  }
  return image;
}
