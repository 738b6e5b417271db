/**
 * Window sizes at which the layout changes. Style sheets write `@media (--phone)`, and the build inserts the
 * condition (`media-names.ts`).
 */
export const media = {
  phone: '(max-width: 720px)',
  'beyond-phone': '(min-width: 721px)',
  tablet: '(max-width: 900px)',
  /** Landscape phones, on-screen keyboards and zoomed windows: the content gets the height. */
  low: '(max-height: 560px)',
} as const;
