/** Rules of what a project says about itself on its page: its sentence and its picture. */

/** Themes of the page. A picture has one file, or one for each theme. */
export const pictureThemes = ['light', 'dark'] as const;
export type PictureTheme = (typeof pictureThemes)[number];

/** Media types of pictures. SVG is not among them, because it can hold scripts. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** `fileSize` is in bytes, `width` and `height` are the least in pixels, `pixels` is the most of both multiplied. */
export const pictureLimits = {
  fileSize: 2 * 1_024 * 1_024,
  width: 1_600,
  height: 1_172,
  pixels: 24_000_000,
  textMaxLength: 200,
} as const;

/** Lengths of the sentence in UTF-16 code units. */
export const sentenceLimits = { minLength: 20, maxLength: 120 } as const;

export const pictureText = {
  missing: 'Choose a picture',
  one: 'A theme has one picture',
  textRequired: 'The picture needs an alternative text: say what it shows',
  tooLarge: (name: string) => `"${name}" is larger than 2 MB`,
  unknown: (name: string) => `"${name}" is not a picture: PNG, JPEG, WebP and AVIF can be shown`,
  damaged: (name: string) => `"${name}" is damaged or not complete`,
  moving: (name: string) => `"${name}" moves: choose a still picture`,
  tooSmall: (name: string, width: number, height: number) =>
    `"${name}" has ${width} × ${height} pixels: it needs at least ${pictureLimits.width} × ${pictureLimits.height}`,
  tooManyPixels: (name: string) => `"${name}" has more than 24 million pixels`,
} as const;

export const sentenceText = `The sentence needs ${sentenceLimits.minLength} to ${sentenceLimits.maxLength} characters`;
