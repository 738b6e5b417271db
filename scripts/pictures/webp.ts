/** Converts pictures to WebP in the browser that took them, so no other tool is needed. */
import type { Browser } from '@playwright/test';

/** Quality from 0 to 1. Text stays sharp, and a picture of a whole tool takes some tens of kilobytes. */
const quality = 0.5;

export async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  try {
    const address = await page.evaluate(
      async ([source, amount]) => {
        const picture = new Image();
        picture.src = `data:image/png;base64,${source}`;
        await picture.decode();
        const canvas = document.createElement('canvas');
        canvas.width = picture.naturalWidth;
        canvas.height = picture.naturalHeight;
        canvas.getContext('2d')?.drawImage(picture, 0, 0);
        return canvas.toDataURL('image/webp', amount);
      },
      [png.toString('base64'), quality] as const,
    );
    return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
  } finally {
    await page.close();
  }
}
