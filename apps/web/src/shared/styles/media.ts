/**
 * The window sizes at which the layout changes. Style sheets write `@media (--phone)`, and the build puts in the condition
 * (`media-names.ts`).
 */
export const media = {
  phone: '(max-width: 720px)',
  'beyond-phone': '(min-width: 721px)',
  tablet: '(max-width: 900px)',
  /** In landscape, above an on-screen keyboard, or zoomed in: the height belongs to the content. */
  low: '(max-height: 560px)',
} as const;
