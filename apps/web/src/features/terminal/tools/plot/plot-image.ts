/** Renders the plot as a PNG for a report: curves on the theme's background, with a legend above. */
import { lookOf } from './series-look.ts';

export interface NamedCurve {
  readonly id: number;
  readonly name: string;
}

/** Height of the legend, in CSS pixels. */
const legendHeight = 28;
const legendGap = 18;

/**
 * Draws the image.
 *
 * @param root Element whose style defines the colours.
 * @throws Error if the browser cannot create the image.
 */
export async function plotImage(
  chart: HTMLCanvasElement,
  root: HTMLElement,
  curves: readonly NamedCurve[],
): Promise<Blob> {
  const scale = window.devicePixelRatio;
  const picture = document.createElement('canvas');
  picture.width = chart.width;
  picture.height = chart.height + legendHeight * scale;
  const context = picture.getContext('2d');
  if (context === null) {
    throw new Error('This browser has no canvas.');
  }
  const style = getComputedStyle(root);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  context.fillStyle = colour('--color-well');
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(chart, 0, legendHeight * scale);
  context.scale(scale, scale);
  context.font = `12px ${colour('--font-mono')}`;
  context.textBaseline = 'middle';
  let left = 12;
  for (const { id, name } of curves) {
    const look = lookOf(id);
    context.strokeStyle = colour(`--series-${look.colour}`);
    context.lineWidth = 2;
    context.setLineDash([...look.dash]);
    context.beginPath();
    context.moveTo(left, legendHeight / 2);
    context.lineTo(left + 22, legendHeight / 2);
    context.stroke();
    context.fillStyle = colour('--color-text');
    context.fillText(name, left + 28, legendHeight / 2);
    left += 28 + context.measureText(name).width + legendGap;
  }
  return new Promise((resolve, reject) => {
    picture.toBlob((blob) => (blob === null ? reject(new Error('The picture is too large.')) : resolve(blob)));
  });
}
