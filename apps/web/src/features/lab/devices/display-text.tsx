/** Form that draws text on a display. For a demo board it also shows the content of the simulated display. */
import { pictureTransfers } from '@wirebench/lab/chip-jkit';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { SimulatedDisplay } from '../../../protocol/lab-protocol.ts';
import { hexNumber } from '../../../shared/format/hex.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { TextArea } from '../../../shared/ui/text-input.tsx';
import { useStepVariant } from '../next-step.ts';
import panel from '../panel.module.css';
import { useChoice, useDraft } from '../store/drafts.ts';
import { getLab } from '../store/lab-line.ts';
import { useLab } from '../store/lab-store.ts';
import { useRun } from '../store/run.ts';
import { transferAll } from './device-actions.ts';
import styles from './device-panel.module.css';
import { changeDevice, type OpenDevice } from './device-store.ts';

const sizes = [
  { value: 10, label: 'Small' },
  { value: 16, label: 'Medium' },
  { value: 30, label: 'Large' },
];
const sizeValues = sizes.map(({ value }) => value);
/** Maximum number of characters: more does not fit at any size. */
const longestText = 200;
/** Pause between two reads of a simulated display, in milliseconds. */
const lookPause = 250;

/** Draws text as pixels of a small display with the browser's own fonts, so that every character can be shown. */

const [width, height] = [128, 64];

/**
 * @param size Size of the letters in pixels.
 * @returns 128 × 64 values of 0 or 1, in rows from the upper left.
 */
function drawText(text: string, size: number): Uint8Array {
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

export function DisplayText({ address, device }: { readonly address: number; readonly device: OpenDevice }) {
  const [text, setText] = useDraft(`display ${address}`, 'Hello from Wirebench');
  const [size, setSize] = useChoice(`display ${address} size`, sizeValues, 16);
  const { busy, run } = useRun();
  const isDemo = useLab(({ board }) => board?.demo === true);
  const id = useId();
  const variant = useStepVariant('show', address);
  const show = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const picture = pictureTransfers(address, drawText(text, size));
      await transferAll(picture, `${hexNumber(address)} picture of 128×64, ${picture.length} transfers`);
      changeDevice(address, { hasPicture: true });
    });
  };
  return (
    <>
      <form className={panel['form']} aria-label="Show text" onSubmit={show}>
        <div className={`${panel['field']} ${panel['wide']}`}>
          <label htmlFor={`${id}-text`} className="silk">
            Text
          </label>
          <TextArea
            id={`${id}-text`}
            rows={2}
            maxLength={longestText}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
        <div className={panel['field']}>
          <label htmlFor={`${id}-size`} className="silk">
            Size
          </label>
          <Select id={`${id}-size`} value={size} onChange={({ currentTarget }) => setSize(Number(currentTarget.value))}>
            {sizes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </div>
        <Button type="submit" variant={variant} busy={busy}>
          Show text
        </Button>
      </form>
      <p className={panel['note']} role="status">
        {device.hasPicture ? `Written to ${hexNumber(address)}.` : ''}
        {device.initialisedAt === null ? ' The display stays dark until it is initialised.' : ''}
      </p>
      {isDemo ? <SimulatedView /> : null}
    </>
  );
}

function SimulatedView() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [lit, setLit] = useState<number | null>(null);
  useEffect(() => {
    let timer = 0;
    let ended = false;
    const look = async () => {
      // After the board was left, the call fails and this panel is removed.
      const display = await getLab()
        .call('display')
        .catch(() => null);
      if (ended) {
        return;
      }
      if (display !== null && canvas.current !== null) {
        paint(canvas.current, display);
        setLit(display.points.reduce((sum, point) => sum + point, 0));
      }
      timer = window.setTimeout(() => void look(), lookPause);
    };
    void look();
    return () => {
      ended = true;
      window.clearTimeout(timer);
    };
  }, []);
  const words = lit === null ? 'Not read yet' : lit === 0 ? 'dark' : `${lit} points lit`;
  return (
    <figure className={styles['simulated']}>
      <canvas
        ref={canvas}
        width={128}
        height={64}
        role="img"
        aria-label={`Display of the demo board, simulated: ${words}`}
        data-lit={lit ?? undefined}
      />
      <figcaption>
        <Badge tone="info">Simulated</Badge> The display on the demo board’s breadboard.
      </figcaption>
    </figure>
  );
}

function paint(canvas: HTMLCanvasElement, { width, height, points }: SimulatedDisplay): void {
  const context = canvas.getContext('2d');
  if (context === null) {
    return;
  }
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  // White with full alpha reads the same in either byte order.
  pixels.set(Array.from(points, (point) => (point === 1 ? 0xffff_ffff : 0)));
  context.putImageData(image, 0, 0);
}
