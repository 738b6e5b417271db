/**
 * Draws a badge for readmes as SVG: name on the left, newest version on the right. It is self-contained and has no
 * script.
 */
import { escapeMarkup } from './markup.ts';

const HEIGHT = 20;
const PADDING = 7;
/** Average width of a letter of the usual sans-serif at 11 pixels. `textLength` fits the text to the reserved width. */
const LETTER = 6.6;
const MAX_LETTERS = 30;

/** Colours of the product's dark console and its accent, with a contrast of at least 4.5 to white text. */
const LEFT = '#24292f';
const RIGHT = '#0b6b5d';

export function badgeSvg(label: string, value: string): string {
  const [left, right] = [part(label, 0, LEFT), part(value, part(label, 0, LEFT).width, RIGHT)];
  const width = left.width + right.width;
  const title = escapeMarkup(`${label}: ${value}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${title}">` +
    `<title>${title}</title>${left.box}${right.box}` +
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">` +
    `${left.text}${right.text}</g></svg>`
  );
}

function part(text: string, x: number, colour: string) {
  const letters = [...text];
  const shown = letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS - 1).join('')}…` : text;
  const textWidth = Math.ceil([...shown].length * LETTER);
  const width = textWidth + 2 * PADDING;
  return {
    width,
    box: `<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${colour}"/>`,
    text: `<text x="${x + width / 2}" y="14" textLength="${textWidth}">${escapeMarkup(shown)}</text>`,
  };
}
