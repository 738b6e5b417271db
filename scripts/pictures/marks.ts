/**
 * The product's mark as icons of other sizes, and the preview picture of shared links. Markup only: `icons.ts` draws
 * it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/web.ts';

/** Path of the mark, the same as in the header's logo and the favicon. */
const line = 'M5 7v10h4.4v-6h5.2v6H19V7';
const ground = '#141719';
const accent = '#FFB224';

/**
 * Returns the mark as SVG.
 *
 * @param margin Free space around the mark, in its 24 units. Round masks cut off a fifth at each side.
 */
function mark(size: number, { margin, corner }: { readonly margin: number; readonly corner: number }): string {
  const side = 24 + 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="${-margin} ${-margin} ${side} ${side}">
    <rect x="${-margin}" y="${-margin}" width="${side}" height="${side}" rx="${corner}" fill="${ground}"/>
    <path d="${line}" fill="none" stroke="${accent}" stroke-width="2.4" stroke-linecap="square"/>
  </svg>`;
}

const icon = (size: number, shape: { readonly margin: number; readonly corner: number }) =>
  ({ width: size, height: size, markup: mark(size, shape) }) as const;

/** Pictures by file name below `public`. */
export const pictures = {
  'icons/icon-192.png': icon(192, { margin: 0, corner: 4 }),
  'icons/icon-512.png': icon(512, { margin: 0, corner: 4 }),
  'icons/maskable-512.png': icon(512, { margin: 5, corner: 0 }),
  'icons/apple-touch-180.png': icon(180, { margin: 1, corner: 0 }),
  'previews/social.png': { width: 1200, height: 630, markup: socialPreview() },
} as const;

function font(family: string, file: string): string {
  const bytes = readFileSync(join(root, 'node_modules', file)).toString('base64');
  return `@font-face { font-family: '${family}'; font-weight: 100 700; src: url(data:font/woff2;base64,${bytes}); }`;
}

function socialPreview(): string {
  const [left, top, bit, height] = [80, 446, 26, 62];
  const { path, marks } = uartFrames('Wire', { left, top, bit, height });
  return `<style>
    ${font('sans', '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2')}
    ${font('mono', '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2')}
  </style>
  <svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
    <rect width="1200" height="630" fill="#0E1011"/>
    <g stroke="#1C2124">${Array.from({ length: 23 }, (_, index) => `<path d="M${(index + 1) * 50} 0V630"/>`).join('')}
    ${Array.from({ length: 12 }, (_, index) => `<path d="M0 ${(index + 1) * 50}H1200"/>`).join('')}</g>
    <g transform="translate(70 62) scale(3)"><path d="M5 7v10h4.4v-6h5.2v6H19V7" fill="none" stroke="${accent}" stroke-width="2.6" stroke-linecap="square"/></g>
    <text x="152" y="114" fill="#ECEEEC" font-family="sans" font-weight="600" font-size="42" letter-spacing="-.8">Wirebench</text>
    <g fill="#ECEEEC" font-family="sans" font-weight="600" font-size="68" letter-spacing="-2">
      <text x="78" y="232">Talk to four boards.</text>
      <text x="78" y="310">Flash. Share firmware.</text>
    </g>
    <text x="80" y="374" fill="#B1B9BB" font-family="sans" font-size="30">Serial terminal, flashers and releases, in a browser tab.</text>
    <path d="${path}" fill="none" stroke="${accent}" stroke-width="4" stroke-linejoin="bevel"/>
    <g fill="#8B959A" font-family="mono" font-size="24" text-anchor="middle">${marks}</g>
  </svg>`;
}

interface TracePlace {
  readonly left: number;
  readonly top: number;
  /** Width of one bit in pixels. */
  readonly bit: number;
  readonly height: number;
}

/** Draws `text` as UART frames with 8 data bits, no parity and one stop bit: least significant bit first, idle high. */
function uartFrames(text: string, { left, top, bit, height }: TracePlace): { path: string; marks: string } {
  const codes = [...text].map((letter) => letter.charCodeAt(0));
  const bits = codes.flatMap((code) => [0, ...Array.from({ length: 8 }, (_, index) => (code >> index) & 1), 1]);
  const y = (level: number) => (level === 1 ? top : top + height);
  const path = bits.map((level, index) => `V${y(level)}H${left + (index + 1) * bit}`).join('');
  const marks = codes
    .map((code, index) => {
      const x = left + (index * 10 + 5) * bit;
      const hex = code.toString(16).toUpperCase();
      return `<text x="${x}" y="${top + height + 48}">${hex} ${String.fromCharCode(code)}</text>`;
    })
    .join('');
  return { path: `M0 ${y(1)}H${left}${path}H1200`, marks };
}
