/** Draws text as pixels of a small display with the browser's own fonts, so that every character can be shown. */

const [width, height] = [128, 64];

/**
 * @param size Size of the letters in pixels.
 * @returns 128 × 64 values of 0 or 1, in rows from the upper left.
 */
export function drawText(text: string, size: number): Uint8Array {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) {
    throw new Error('The browser gives no canvas to draw the text on.');
  }
  context.font = `bold ${size}px sans-serif`;
  context.textBaseline = 'top';
  const lines = wrapped(text, (part) => context.measureText(part).width <= width);
  for (const [index, line] of lines.entries()) {
    context.fillText(line, 0, 1 + index * Math.round(size * 1.15));
  }
  const { data } = context.getImageData(0, 0, width, height);
  return Uint8Array.from({ length: width * height }, (_, index) => ((data[index * 4 + 3] ?? 0) >= 128 ? 1 : 0));
}

/** Breaks text between words that do not fit in a line, and within a word that is longer than a line. */
export function wrapped(text: string, fits: (line: string) => boolean): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== '') {
        lines.push(line);
      }
      line = '';
      for (const character of word) {
        if (line !== '' && !fits(line + character)) {
          lines.push(line);
          line = '';
        }
        line += character;
      }
    }
    return [...lines, line];
  });
}
