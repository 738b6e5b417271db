import styles from './qr-code.module.css';
import { useAsync } from './use-async.ts';

/** Width of the quiet zone around a code, in modules (ISO/IEC 18004, section 5.3.8). */
const QUIET = 4;

interface Drawing {
  readonly size: number;
  readonly path: string;
}

export interface QrCodeProps {
  readonly text: string;
  /** Accessible name. */
  readonly label: string;
}

/** Shows `text` as a QR code. The encoder is loaded after the page. If that fails, no code is shown. */
export function QrCode({ text, label }: QrCodeProps) {
  const drawing = useAsync([text], () => drawingOf(text));
  const side = (drawing?.size ?? 0) + 2 * QUIET;
  return (
    <svg
      className={styles['qr']}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      {drawing === undefined ? null : <path d={drawing.path} />}
    </svg>
  );
}

async function drawingOf(text: string): Promise<Drawing> {
  const { generate } = await import('lean-qr');
  const code = generate(text);
  let path = '';
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      path += code.get(x, y) ? `M${x} ${y}h1v1h-1z` : '';
    }
  }
  return { size: code.size, path };
}
