/** Draws a lane: a line for each ten seconds, and a bar for each stretch of time. Colours are those of the element. */

/** Ten seconds in a minute. */
const divisions = 6;

/** @param bytes in each stretch, the oldest first: the highest one reaches the upper edge. */
export function drawLane(canvas: HTMLCanvasElement, bytes: Float64Array): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d');
  if (context === null || width === 0) {
    return;
  }
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const { color, outlineColor } = getComputedStyle(canvas);
  context.fillStyle = outlineColor;
  for (let line = 0; line <= divisions; line++) {
    context.fillRect(Math.min(width - 1, Math.round((line * width) / divisions)), 0, 1, height);
  }
  context.fillStyle = color;
  const most = Math.max(1, ...bytes);
  const step = width / bytes.length;
  for (const [index, amount] of bytes.entries()) {
    if (amount > 0) {
      const bar = Math.max(2, (amount / most) * (height - 4));
      context.fillRect(index * step, height - bar, Math.max(1, step - 1), bar);
    }
  }
}
